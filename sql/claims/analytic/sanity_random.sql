-- id: analytic.sanity_random
-- title: The cosine of random vectors around positive means rises as they spread less, whatever their length.
-- documents: sanity_random
-- section: viz_cossim.py
-- evidence: analytic
-- needs:
-- version: 1
-- reading: The script draws normal vectors around three pairs of means, of five spreads and three lengths, and
--   charts their cosine and their share of positive values. For means a and b and a spread s, the cosine is
--   expected at a·b / √((a² + s²)(b² + s²)) but for a correction of order 1/d. Rises: over the five spreads, each
--   time the spread falls; observed is the smallest step. Length: around 1.0 and with a spread of 0.5 the expected
--   cosine of 64, 512 and 4096 values is the same to that order, and its deviation falls; observed is how far the
--   means differ. Positive values: the share is the normal distribution function at a / s; it rises each time, to
--   more than 0.99999; observed is the smallest step. Judged from the script, not from its chart.
with

panels as (
    select unnest([0.1, 0.5, 1.0]) as mean_a, unnest([0.5, 1.0, 2.0]) as mean_b
),

expected as (
    select
        mean_a, mean_b, spread,
        mean_a * mean_b / sqrt((mean_a ** 2 + spread ** 2) * (mean_b ** 2 + spread ** 2)) as cosine,
        unnest([1 - normal_tail(mean_a / spread), 1 - normal_tail(mean_b / spread)]) as positive_share,
        unnest([mean_a, mean_b]) as mean
    from panels
    cross join (select unnest([1.0, 0.75, 0.5, 0.25, 0.1]) as spread)
),

steps as (
    select
        mean_a, mean, spread, positive_share,
        cosine - lag(cosine) over (partition by mean_a, mean order by spread desc) as cosine_step,
        positive_share - lag(positive_share) over (partition by mean_a, mean order by spread desc) as share_step
    from expected
),

panel_steps as (
    select mean_a, min(cosine_step) as step
    from steps
    group by mean_a
),

baselines as (
    select 64 as width, * from random_baseline(64, 1.0, 0.5, trials := 2)
    union all
    select 512, * from random_baseline(512, 1.0, 0.5, trials := 2)
    union all
    select 4096, * from random_baseline(4096, 1.0, 0.5, trials := 2)
),

narrower as (
    select expected_mean, coalesce(expected_std < lag(expected_std) over (order by width), true) as is_narrower
    from baselines
    where metric = 'cosine'
),

lengths as (
    select max(expected_mean) - min(expected_mean) as difference, bool_and(is_narrower) as is_narrower
    from narrower
)

select
    'sanity.random.means_' || replace(mean_a::varchar, '.', '_') as item,
    'plain' as reading,
    'the expected cosine rises each time the spread falls' as statement,
    step > 0 as holds,
    step as observed
from panel_steps
union all
select
    'sanity.random.length_does_not_matter', 'plain', 'the same expected cosine, and a smaller deviation of the longer',
    difference < 1e-12 and is_narrower, difference
from lengths
union all
select
    'sanity.random.positive_share', 'plain', 'the share rises each time, towards 1',
    min(share_step) >= 0 and max(positive_share) > 0.99999, min(share_step)
from steps
union all
select 'sanity.random.setup', 'plain', 'three pairs of means', count(*) = 3, count(*)
from panels
