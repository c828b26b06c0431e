-- one row per ordered pair of vectors of one type and width, by the plain join
-- what matched_layers, within_model and the macros choose their pairs from
select
    model_a, layer_a, model_b, layer_b, ln_type, d, mean_a, std_a, l2_norm_a, abs_q99_a, mean_b, std_b,
    l2_norm_b, abs_q99_b, pattern_product, pattern_distance, mean_abs_diff, max_abs_diff, changed_ratio,
    sign_agreement, spearman
from joined_vectors('vectors', 'vectors')
