-- the rows of `products`, a view or call given as text, with every metric that follows from inner products and
-- statistics; undefined is NULL: a constant vector has no Pearson, a zero vector no cosine
-- example: select model_b, layer_b, pearson from with_metrics('_joined_vectors') where model_a = 'solar'
create macro with_metrics(products) as table
select
    *,
    pattern_product + d * mean_a * mean_b as inner_product,
    d * mean_a * mean_b / nullif(l2_norm_a * l2_norm_b, 0) as offset_share,
    pattern_product / nullif(l2_norm_a * l2_norm_b, 0) as pattern_share,
    offset_share + pattern_share as cosine,
    pattern_product / nullif(d * std_a * std_b, 0) as pearson,
    pearson * sqrt(d - 1) as permutation_z,
    sqrt(pattern_distance ** 2 + d * (mean_a - mean_b) ** 2) as l2_distance,
    l2_distance / nullif(l2_norm_a, 0) as rel_l2,
    abs(std_a / nullif(abs(mean_a), 0) - std_b / nullif(abs(mean_b), 0)) as cv_diff,
    abs(abs_q99_a - abs_q99_b) as p99_abs_diff
from query('from ' || products)
