-- one row per ordered pair of norm vectors of one type and width, by blocks
-- all pairs at once: each inner product is computed for one order and mirrored to the other
-- (`mean is not null` would be pushed into the scans first, and DuckDB 2.0 adds no filter on models to one that has
-- another: it read all row groups)
with

first_vectors as (
    select *, pattern_of(weights, mean) as pattern
    from files.vectors
    where n_nan + n_inf = 0
),

second_vectors as (
    select *, pattern_of(weights, mean) as pattern
    from files.vectors
    where n_nan + n_inf = 0
),

-- a vector meets all layers of a model in one row, so that no list is copied for a pair (twice as fast)
blocks as (
    select
        model, ln_type, d,
        list(pattern order by layer) as patterns,
        list(
            {'layer': layer, 'mean': mean, 'std': std, 'l2_norm': l2_norm, 'abs_q99': abs_q99} order by layer
        ) as stats
    from second_vectors
    group by all
),

multiplied as (
    select
        a.model as model_a, a.layer as layer_a, a.mean as _mean_a, a.std as _std_a, a.l2_norm as _l2_norm_a,
        a.abs_q99 as _abs_q99_a, b.model as model_b, ln_type, d, b.stats,
        list_transform(b.patterns, lambda p: list_inner_product(p, a.pattern)) as products,
        list_transform(b.patterns, lambda p: list_distance(p, a.pattern)) as distances
    from first_vectors as a
    join blocks as b using (ln_type, d)
    where a.model <= b.model
),

numbered as (
    select *, unnest(range(1, len(stats) + 1)) as i
    from multiplied
),

-- materialised by name: DuckDB would rather keep the lists of a step before
half as materialized (
    select
        model_a, layer_a, _mean_a, _std_a, _l2_norm_a, _abs_q99_a, model_b, ln_type, d,
        stats[i].layer as layer_b, stats[i].mean as _mean_b, stats[i].std as _std_b,
        stats[i].l2_norm as _l2_norm_b, stats[i].abs_q99 as _abs_q99_b,
        products[i] as _pattern_product,
        distances[i] as _pattern_distance
    from numbered
),

mirrored as (
    select
        model_b as model_a, layer_b as layer_a, _mean_b as _mean_a, _std_b as _std_a, _l2_norm_b as _l2_norm_a,
        _abs_q99_b as _abs_q99_a, model_a as model_b, layer_a as layer_b, _mean_a as _mean_b, _std_a as _std_b,
        _l2_norm_a as _l2_norm_b, _abs_q99_a as _abs_q99_b, ln_type, d, _pattern_product, _pattern_distance
    from half
    where model_a <> model_b
)

select
    model_a, layer_a, model_b, layer_b, ln_type, d, _mean_a, _std_a, _l2_norm_a, _abs_q99_a, _mean_b, _std_b,
    _l2_norm_b, _abs_q99_b, _pattern_product, _pattern_distance
from (
    from half
    union all by name
    from mirrored
)
