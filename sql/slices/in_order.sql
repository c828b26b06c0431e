-- one row per two layers compared, form and part: do neurons of the same place agree more than in any other order?
-- The order of neurons is arbitrary. Over all orders of one model's the sum of the similarities of twins has, by
-- Hoeffding, mean 0 and variance ‖C‖²/(n−1), where C holds the similarities with row and column means taken out
-- The sign of a gated up is arbitrary, too: there similarities count by size; without a gate they count as they are
with

gates as (
    select comparison, form, 'gate' as part, twin_a, twin_b, similarity
    from similar_gates
    where twin_a is not null and twin_b is not null
),

ups as (
    select
        a.comparison, a.form, 'up' as part, a.twin as twin_a, b.twin as twin_b,
        list_inner_product(a.profile, b.profile) as similarity
    from profiles as a
    join profiles as b using (comparison, form)
    where
        a.side = 'a' and b.side = 'b' and a.part = 'up' and b.part = 'up'
        and a.twin is not null and b.twin is not null
),

similarities as (
    from gates
    union all
    select * replace (case when gated.comparison is null then similarity else abs(similarity) end as similarity)
    from ups
    left join (select distinct comparison from gates) as gated using (comparison)
),

means as (
    select comparison, form, part, avg(similarity) as mean
    from similarities
    group by grouping sets ((comparison, form, part, twin_a), (comparison, form, part, twin_b))
),

means_summed as (
    select comparison, form, part, sum(mean ** 2) as mean_squares
    from means
    group by comparison, form, part
),

summed as (
    select
        comparison, form, part,
        count_if(twin_a = twin_b) as n,
        sum(similarity) filter (twin_a = twin_b) as trace,
        avg(similarity) as mean,
        sum(similarity ** 2) as squares
    from similarities
    group by comparison, form, part
)

select
    comparison, form, part, n,
    (trace - n * mean) / sqrt((squares - n * mean_squares + (n * mean) ** 2) / (n - 1)) as z
from summed
join means_summed using (comparison, form, part)
where n > 2
