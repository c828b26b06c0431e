-- one row per vector: norms, and projections taken as one long vector
-- statistics and the lists that similarities are computed from; NULL where a value is NaN or Inf
with

norm_vectors as (
    from files.vectors
),

projection_vectors as (
    from files.projection_vectors
),

both_kinds as (
    from norm_vectors
    union all by name
    from projection_vectors
)

select
    model, layer, ln_type, d, mean, std, l2_norm, min, max, q01, q25, q50, q75, q99, abs_q99, n_nan, n_inf,
    weights, pattern_of(weights, mean) as pattern, ranks
from both_kinds
