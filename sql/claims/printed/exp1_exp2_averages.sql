-- id: printed.exp1_exp2_averages
-- title: The averages of experiments 1 and 2 are the means of their rows.
-- documents: critique_results
-- section: Experiment 1, Experiment 2, Summary
-- evidence: printed
-- needs:
-- version: 2
-- reading: Layer 0 against layers 10, 20, 30 and 40, and layers 10-20 and 20-30, for Solar and GLM. Rows and
--   average are rounded to four digits, so the tolerance is two half digits. The mean of GLM's four is 0.37695
--   and would round either way.
-- history: v2: names its reading
with

cosines as (
    select distinct item, section, model_a, layer_b, aggregate, value, half_digit
    from printed
    where
        document = 'critique_results'
        and section in ('Experiment 1', 'Experiment 2')
        and metric = 'cosine'
),

row_means as (
    select section, model_a, avg(value) as mean, max(half_digit) as half_digit
    from cosines
    where aggregate is null
    group by section, model_a
)

select
    average.item,
    'plain' as reading,
    average.value as expected,
    average.half_digit + row_means.half_digit as tolerance,
    row_means.mean as observed
from cosines as average
left join row_means using (section, model_a)
where average.aggregate = 'mean'
order by average.item
