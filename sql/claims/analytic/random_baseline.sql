-- id: analytic.random_baseline
-- title: What two random vectors of 4096 normal values with mean 1 and standard deviation 0.1 give.
-- documents: critique_results
-- section: 6-1
-- evidence: analytic
-- needs:
-- version: 2
-- reading: In closed form: cosine m² / (m² + s²), Pearson 0, L2 distance s·√(2d) but for a correction of
--   order 1/d. The reading simulated draws 50 pairs in SQL, the same each time (the macro random_baseline).
--   The document prints neither seed nor number of trials, so its figures can only be met within chance:
--   three standard errors of its own run, taken as 1000 trials, and of our draws, plus half a digit. The
--   standard error of a mean is std / √n, that of a standard deviation std / √(2n).
-- history: v2: the exact values are the plain reading, the draws the other
with

baseline as (
    select * from random_baseline(4096, 1.0, 0.1, 50)
),

claimed as (
    select distinct item, metric, aggregate, value, half_digit
    from printed
    where section = '6-1' and aggregate is not null
),

compared as (
    select
        claimed.item,
        claimed.value,
        claimed.half_digit,
        case aggregate when 'mean' then 1 else 2 end as squared_factor,
        baseline.expected_std,
        baseline.trials,
        case aggregate when 'mean' then simulated_mean else simulated_std end as simulated,
        case aggregate when 'mean' then expected_mean else baseline.expected_std end as closed_form
    from claimed
    left join baseline using (metric)
)

select
    item,
    'plain' as reading,
    value as expected,
    half_digit + 3 * expected_std * sqrt(1 / 1000 / squared_factor) as tolerance,
    closed_form as observed
from compared
union all
select
    item,
    'simulated' as reading,
    value as expected,
    half_digit + 3 * expected_std * sqrt((1 / 1000 + 1 / trials) / squared_factor) as tolerance,
    simulated as observed
from compared
order by item, reading
