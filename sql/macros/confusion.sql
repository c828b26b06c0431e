-- one row per type and ordered pair of models at one layer, a model with itself included: a matrix a type;
-- `among` picks models (all by default), in the order given by `model_a`, `model_b`
-- example: from confusion(10, among := ['solar', 'glm', 'phi'])
create macro confusion(at_layer, among := null) as table
select
    ln_type, model_a, model_b, d, cosine, pearson, spearman, offset_share, pattern_share, permutation_z,
    l2_distance, rel_l2, cv_diff, p99_abs_diff, mean_abs_diff, max_abs_diff, changed_ratio, sign_agreement
from with_metrics('_joined_vectors')
where
    layer_a = at_layer and layer_b = at_layer
    and (among is null or (list_contains(among, model_a) and list_contains(among, model_b)))
order by ln_type, model_a, model_b
