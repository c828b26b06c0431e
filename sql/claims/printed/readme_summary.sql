-- id: printed.readme_summary
-- title: The README's summary rounds the figures of RESULTS.md.
-- documents: critique_readme
-- section: Summary, Observed patterns
-- evidence: printed
-- needs:
-- version: 1
-- reading: Layer 0: mean of the eight cosines of experiment 1. Adjacent layers: mean of the four of experiment
--   2; as the README gives one figure for both models, each model's own average is a second reading. MoE: the
--   mean of experiment 3. Cross-model: the three means of experiment 5 weighted by their counts. Tolerance is
--   half of the README's last digit and half of the RESULTS one; "about" adds nothing, as the figures are
--   given to the same digits as the others.
with

claimed as (
    select distinct item, value, half_digit
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
    select 'critique.readme.layer0_0_38' as item, '' as reading, avg(value) as mean
    from results
    where section = 'Experiment 1' and aggregate is null
    union all
    select 'critique.readme.adjacent_0_99' as item, '' as reading, avg(value) as mean
    from results
    where section = 'Experiment 2' and aggregate is null
    union all
    select 'critique.readme.adjacent_0_99' as item, '@' || model_a as reading, avg(value) as mean
    from results
    where section = 'Experiment 2' and aggregate is null
    group by model_a
    union all
    select 'critique.readme.moe_mean_0_964' as item, '' as reading, max(value) as mean
    from results
    where section = 'Experiment 3' and aggregate = 'mean'
    union all
    select 'critique.readme.cross_model_0_97' as item, '' as reading, sum(pairs * mean) / sum(pairs) as mean
    from groups
)

select
    claimed.item || coalesce(recomputed.reading, '') as item,
    claimed.value as expected,
    claimed.half_digit + (select max(half_digit) from results where section = 'Experiment 3') as tolerance,
    recomputed.mean as observed
from claimed
left join recomputed using (item)
order by item
