-- one row per value of a vector without NaN and Inf
-- the meaning of a rank, in plain SQL: how many values of the vector are smaller, and half of those that are equal,
-- less what all values have on average
with

ranked as (
    select
        model,
        layer,
        ln_type,
        dim,
        rank() over (partition by model, layer, ln_type order by value) as lowest,
        count(*) over (partition by model, layer, ln_type, value) as ties,
        count(*) over (partition by model, layer, ln_type) as d
    from norms
)

select
    model,
    layer,
    ln_type,
    dim,
    lowest + (cast(ties as double precision) - 1) / 2 - (cast(d as double precision) + 1) / 2 as centred_rank
from ranked
