-- one row per two layers compared, form and matrix: do neurons of the same place agree more than in any other order?
-- The order of neurons is arbitrary. Over all orders of one model's the sum of the similarities of twins has, by
-- Hoeffding, mean 0 and variance ‖C‖²/(n−1), where C holds the similarities with row and column means taken out
-- The sign of a gated up is arbitrary, too: there similarities count by size; without a gate they count as they are
with

twins as (
    select
        comparison, form, matrix, twin_a, twin_b, similarity,
        bool_or(matrix = 'gate') over (partition by comparison) as is_gated
    from similarities
    where matrix in ('gate', 'up') and twin_a is not null and twin_b is not null
),

signless as (
    select
        comparison, form, matrix, twin_a, twin_b,
        case when matrix = 'up' and is_gated then abs(similarity) else similarity end as similarity
    from twins
),

means as (
    select comparison, form, matrix, avg(similarity) as mean
    from signless
    group by grouping sets ((comparison, form, matrix, twin_a), (comparison, form, matrix, twin_b))
),

means_summed as (
    select comparison, form, matrix, sum(mean ** 2) as mean_squares
    from means
    group by comparison, form, matrix
),

summed as (
    select
        comparison, form, matrix,
        count_if(twin_a = twin_b) as n,
        sum(similarity) filter (twin_a = twin_b) as trace,
        avg(similarity) as mean,
        sum(similarity ** 2) as squares
    from signless
    group by comparison, form, matrix
)

select
    comparison, form, matrix, n,
    (trace - n * mean) / sqrt((squares - n * mean_squares + (n * mean) ** 2) / (n - 1)) as z
from summed
join means_summed using (comparison, form, matrix)
where n > 2
