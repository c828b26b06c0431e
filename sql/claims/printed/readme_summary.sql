-- id: printed.readme_summary
-- title: The README's summary rounds the figures of RESULTS.md.
-- documents: critique_readme, critique_now
-- section: Summary, Observed patterns
-- evidence: printed
-- needs:
-- version: 2
-- reading: Layer 0: mean of the eight cosines of experiment 1. Adjacent layers: mean of the four of experiment 2.
--   MoE: the mean of experiment 3. Cross-model: the three means of experiment 5 weighted by their counts.
--   Tolerance is half of the last digit of both documents; "about" is given a whole unit of the README's.
-- history: v2: one figure for both models is their mean, no longer also each model's; "about" is a whole digit
with

claimed as (
    select distinct item, relation, value, half_digit
    from printed
    where document = 'critique_readme' and item in (
        'critique.readme.layer0_0_38', 'critique.readme.adjacent_0_99',
        'critique.readme.moe_mean_0_964', 'critique.readme.cross_model_0_97'
    )
),

results as (
    select distinct item, section, model_a, layer_b, scope, aggregate, metric, value, half_digit
    from printed
    where document = 'critique_results'
),

groups as (
    select
        max(value) filter (metric = 'count') as pairs,
        max(value) filter (aggregate = 'mean') as mean
    from results
    where section = 'Experiment 5' and scope is not null
    group by scope
),

recomputed as (
    select 'critique.readme.layer0_0_38' as item, avg(value) as mean
    from results
    where section = 'Experiment 1' and aggregate is null
    union all
    select 'critique.readme.adjacent_0_99' as item, avg(value) as mean
    from results
    where section = 'Experiment 2' and aggregate is null
    union all
    select 'critique.readme.moe_mean_0_964' as item, max(value) as mean
    from results
    where section = 'Experiment 3' and aggregate = 'mean'
    union all
    select 'critique.readme.cross_model_0_97' as item, sum(pairs * mean) / sum(pairs) as mean
    from groups
)

select
    item,
    'plain' as reading,
    claimed.value as expected,
    claimed.half_digit * case relation when '≈' then 2 else 1 end
    + (select max(half_digit) from results where section = 'Experiment 3') as tolerance,
    recomputed.mean as observed
from claimed
left join recomputed using (item)
order by item
