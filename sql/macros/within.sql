-- one row per type and ordered pair of a model's layers, a layer with itself included: a matrix a type
-- example: from within('solar', [10, 20, 30])
create macro within(of_model, at_layers) as table
select
    ln_type, layer_a, layer_b, d, cosine, pearson, spearman, offset_share, pattern_share, permutation_z,
    l2_distance, rel_l2, cv_diff, p99_abs_diff, mean_abs_diff, max_abs_diff, changed_ratio, sign_agreement
from with_metrics(joined_models(of_model, of_model))
where list_contains(at_layers, layer_a) and list_contains(at_layers, layer_b)
order by ln_type, layer_a, layer_b
