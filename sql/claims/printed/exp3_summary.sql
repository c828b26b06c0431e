-- id: printed.exp3_summary
-- title: Mean and standard deviation of the six layer-10 cosines of experiment 3.
-- documents: critique_results
-- section: Experiment 3
-- evidence: printed
-- needs:
-- version: 2
-- reading: Standard deviation of the six as a population; the sample formula gives 0.0205, which is not what is
--   printed. A mean or standard deviation of rounded numbers is off by at most half a digit, the printed one
--   by another half: the tolerance is two half digits. From the rows alone the mean would round to 0.9640.
-- history: v2: names its reading
with

figures as (
    select distinct item, aggregate, value, half_digit
    from printed
    where section = 'Experiment 3' and metric = 'cosine'
),

recomputed as (
    select avg(value) as mean, stddev_pop(value) as std, max(half_digit) as half_digit
    from figures
    where aggregate is null
)

select
    figures.item,
    'plain' as reading,
    figures.value as expected,
    figures.half_digit + recomputed.half_digit as tolerance,
    case figures.aggregate when 'mean' then recomputed.mean else recomputed.std end as observed
from figures
cross join recomputed
where figures.aggregate is not null
order by figures.item
