-- one row per ordered pair of norm vectors of one type and width, by blocks
-- all pairs at once: each inner product is computed for one order and mirrored to the other
with

first_vectors as (
    from files.vectors
    where pattern is not null
),

second_vectors as (
    from files.vectors
    where pattern is not null
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
        a.model as model_a, a.layer as layer_a, a.mean as mean_a, a.std as std_a, a.l2_norm as l2_norm_a,
        a.abs_q99 as abs_q99_a, b.model as model_b, ln_type, d, b.stats,
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
        model_a, layer_a, mean_a, std_a, l2_norm_a, abs_q99_a, model_b, ln_type, d,
        stats[i].layer as layer_b, stats[i].mean as mean_b, stats[i].std as std_b,
        stats[i].l2_norm as l2_norm_b, stats[i].abs_q99 as abs_q99_b,
        products[i] as pattern_product,
        distances[i] as pattern_distance
    from numbered
),

mirrored as (
    select
        model_b as model_a, layer_b as layer_a, mean_b as mean_a, std_b as std_a, l2_norm_b as l2_norm_a,
        abs_q99_b as abs_q99_a, model_a as model_b, layer_a as layer_b, mean_a as mean_b, std_a as std_b,
        l2_norm_a as l2_norm_b, abs_q99_a as abs_q99_b, ln_type, d, pattern_product, pattern_distance
    from half
    where model_a <> model_b
)

select
    model_a, layer_a, model_b, layer_b, ln_type, d, mean_a, std_a, l2_norm_a, abs_q99_a, mean_b, std_b,
    l2_norm_b, abs_q99_b, pattern_product, pattern_distance
from (from half union all by name from mirrored)
