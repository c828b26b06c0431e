-- one row per vector of `listed`, in its order: the statistics of `vectors`, NULL where a value is NaN or Inf
-- matrices of projections are taken as one long vector each
--   listed  the weights in dim order, and the values and absolute values in ascending order, NULL where one is NaN
--           or Inf (warehouse/features/vectors.py)
with

averaged_once as (
    select *, len(weights) as d, ascending is not null as is_finite, list_avg(weights) as rough_mean
    from listed
),

roughly_centred as (
    select *, list_transform(weights, lambda x: x::double - rough_mean) as rough_pattern
    from averaged_once
),

-- the second pass takes out the rounding of the first; a constant vector gets its constant exactly
averaged_twice as (
    select *, list_avg(rough_pattern) as correction
    from roughly_centred
),

described as (
    select
        *,
        case when is_finite then rough_mean + correction end as mean,
        case
            when not is_finite then null
            when ascending[1] = ascending[d] then 0
            else sqrt(inner_product(rough_pattern, rough_pattern) / d - correction ** 2)
        end as std
    from averaged_twice
)

select
    model, layer, ln_type,
    d::integer as d,
    mean, std,
    -- both parts are positive: nothing cancels
    sqrt(d * (mean ** 2 + std ** 2)) as l2_norm,
    ascending[1]::double as min,
    ascending[d]::double as max,
    sorted_quantile(ascending, 0.01) as q01,
    sorted_quantile(ascending, 0.25) as q25,
    sorted_quantile(ascending, 0.5) as q50,
    sorted_quantile(ascending, 0.75) as q75,
    sorted_quantile(ascending, 0.99) as q99,
    sorted_quantile(ascending_abs, 0.99) as abs_q99,
    case when is_finite then 0 else len(list_filter(weights, lambda x: isnan(x))) end::integer as n_nan,
    case when is_finite then 0 else len(list_filter(weights, lambda x: isinf(x))) end::integer as n_inf
from described
