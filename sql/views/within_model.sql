-- one row per model, type and ordered pair of its different layers
-- how alike are a model's own layers: the baseline that a comparison between models needs
select
    model_a as model, layer_a, layer_b, ln_type, d, cosine, pearson, spearman, offset_share, pattern_share,
    permutation_z, l2_distance, rel_l2, cv_diff, p99_abs_diff, mean_abs_diff, max_abs_diff, changed_ratio,
    sign_agreement
from with_metrics('_joined_vectors')
where model_a = model_b and layer_a <> layer_b
