-- one row per ordered pair of vectors of one type and width, a vector with itself included
-- how alike are any two layers of any two models; nothing is stored, and a filter on the models is fast
with

norm_pairs as (
    from with_metrics('_vector_grid')
),

projection_pairs as (
    from with_metrics('_joined_projections')
),

both_kinds as (
    from norm_pairs
    union all by name
    from projection_pairs
)

select
    model_a, layer_a, model_b, layer_b, ln_type, d, cosine, pearson, offset_share, pattern_share, permutation_z,
    inner_product, l2_distance, rel_l2, cv_diff, p99_abs_diff
from both_kinds
