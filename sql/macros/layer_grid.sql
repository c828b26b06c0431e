-- one row per layer of the first and layer of the second model: the heatmap of one type
-- example: from layer_grid('solar', 'glm', 'input_layernorm')
create macro layer_grid(one, other, of_type) as table
select
    layer_a, layer_b, d, cosine, pearson, offset_share, pattern_share, permutation_z, l2_distance, rel_l2,
    cv_diff, p99_abs_diff
from pairs
where model_a = one and model_b = other and ln_type = of_type and known_model(one) and known_model(other)
order by layer_a, layer_b
