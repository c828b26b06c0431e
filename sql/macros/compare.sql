-- one row per layer and type that two models share, with every metric; the first model is the base of rel_l2
-- example: from compare('solar', 'glm')
create macro compare(one, other) as table
select
    layer_a as layer, ln_type, d, cosine, pearson, spearman, offset_share, pattern_share, permutation_z, l2_distance,
    rel_l2, cv_diff, p99_abs_diff, mean_abs_diff, max_abs_diff, changed_ratio, sign_agreement
from with_metrics(joined_models(one, other))
where layer_a = layer_b
order by ln_type, layer
