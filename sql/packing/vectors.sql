-- one row per vector of `unpacked` (the columns of norms): its statistics and, as lists, what similarities need
-- makes every later comparison one inner product; matrices of projections are taken as one long vector each
with

collected as (
    select
        model, layer, ln_type,
        count(*)::integer as d,
        -- not isnan(): DuckDB 2.0 takes it to be false where a Parquet file has statistics, which know no NaN
        (count_if(not isfinite(value)) - count_if(isinf(value)))::integer as n_nan,
        count_if(isinf(value))::integer as n_inf,
        list(value order by dim) as weights
    from unpacked
    group by all
),

-- a vector with NaN or Inf goes no further: what follows from it stays NULL
finite_vectors as (
    select ln_type, layer, d, weights::double[] as finite
    from collected
    where n_nan + n_inf = 0
),

-- the second pass takes out the rounding of the first; a constant vector gets its constant exactly
averaged_once as (
    select *, list_avg(finite) as rough_mean from finite_vectors
),

averaged_twice as (
    select *, rough_mean + list_avg(list_transform(finite, lambda x: x - rough_mean)) as mean from averaged_once
),

centred as (
    select *, list_transform(finite, lambda x: x - mean) as pattern
    from averaged_twice
),

described as (
    select
        *,
        sqrt(list_inner_product(pattern, pattern) / d) as std,
        sqrt(list_inner_product(finite, finite)) as l2_norm,
        list_aggregate(finite, 'quantile_cont', [0.01, 0.25, 0.5, 0.75, 0.99]) as quantiles,
        list_aggregate(list_transform(finite, lambda x: abs(x)), 'quantile_cont', 0.99) as abs_q99
    from centred
),

-- rank correlation of matrices (4 million values) is left out: another 32 MB list per matrix that no document asks for
counted as (
    select ln_type, layer, value, count(*) as ties from unpacked
    semi join (from finite_vectors where d <= 65536) using (ln_type, layer)
    group by all
),

ranked as (
    select
        ln_type, layer, value,
        sum(ties) over up_to_here - (ties - 1) / 2 - (sum(ties) over whole_vector + 1) / 2 as centred_rank
    from counted
    window
        whole_vector as (partition by ln_type, layer),
        up_to_here as (partition by ln_type, layer order by value)
),

rank_lists as (
    select ln_type, layer, list(centred_rank::double order by dim) as ranks
    from unpacked
    join ranked using (ln_type, layer, value)
    group by all
)

select
    model, layer, ln_type, collected.d, mean, std, l2_norm,
    list_min(finite) as min, list_max(finite) as max,
    quantiles[1] as q01, quantiles[2] as q25, quantiles[3] as q50, quantiles[4] as q75, quantiles[5] as q99,
    abs_q99, n_nan, n_inf, weights, pattern, ranks
from collected
left join described using (ln_type, layer)
left join rank_lists using (ln_type, layer)
order by ln_type, layer
