-- one row per layer, type and ordered pair of different models that both have the vector in one width
-- how alike are two models layer by layer, with the metrics that need the elements
select
    model_a, model_b, layer_a as layer, ln_type, d, cosine, pearson, spearman, offset_share, pattern_share,
    permutation_z, l2_distance, rel_l2, cv_diff, p99_abs_diff, mean_abs_diff, max_abs_diff, changed_ratio,
    sign_agreement
from with_metrics('_joined_vectors')
where layer_a = layer_b and model_a <> model_b
