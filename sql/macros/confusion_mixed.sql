-- one row per type and ordered pair of chosen points, each a model at a layer of its own: a matrix a type
-- example: from confusion_mixed([{'model': 'solar', 'layer': 10}, {'model': 'glm', 'layer': 20}])
create macro confusion_mixed(points) as table
select
    ln_type, model_a, layer_a, model_b, layer_b, d, cosine, pearson, spearman, offset_share, pattern_share,
    permutation_z, l2_distance, rel_l2, cv_diff, p99_abs_diff, mean_abs_diff, max_abs_diff, changed_ratio,
    sign_agreement
from with_metrics('_joined_vectors')
where
    list_contains(points, {'model': model_a, 'layer': layer_a})
    and list_contains(points, {'model': model_b, 'layer': layer_b})
order by ln_type, model_a, layer_a, model_b, layer_b
