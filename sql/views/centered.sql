-- one row per value of a vector without NaN or Inf
-- each weight beside its distance from the vector's mean, the projection that turns cosine into Pearson
with

finite_vectors as (
    from vectors
    where mean is not null
),

unpacked as (
    select
        model, layer, ln_type, mean, std,
        unnest(range(d)) as dim,
        unnest(weights) as value,
        unnest(pattern) as centered_value
    from finite_vectors
)

select model, layer, ln_type, dim::integer as dim, value, mean, std, centered_value
from unpacked
