-- one row per ordered pair of vectors of one type and width
-- the meaning of the two inner products, in plain SQL: any engine can run it over the long table `norms`
with

described as (
    select model, layer, ln_type, count(*) as d, avg(cast(value as double precision)) as mean
    from norms
    group by model, layer, ln_type
),

centred as (
    select
        norms.model,
        norms.layer,
        norms.ln_type,
        norms.dim,
        described.d,
        cast(norms.value as double precision) as value,
        cast(norms.value as double precision) - described.mean as centered_value
    from norms
    join described on
        norms.model = described.model
        and norms.layer = described.layer
        and norms.ln_type = described.ln_type
)

select
    a.model as model_a,
    a.layer as layer_a,
    b.model as model_b,
    b.layer as layer_b,
    a.ln_type,
    a.d,
    sum(a.value * b.value) as inner_product,
    sum(a.centered_value * b.centered_value) as pattern_product
from centred as a
join centred as b on a.ln_type = b.ln_type and a.d = b.d and a.dim = b.dim
group by a.model, a.layer, b.model, b.layer, a.ln_type, a.d
