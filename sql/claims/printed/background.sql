-- id: printed.background
-- title: The original argument: within a model 0.377, between models 0.989, a gap of 0.612 or 182 sigma.
-- documents: critique_readme, critique_now, accusation
-- section: Background
-- evidence: printed
-- needs:
-- version: 3
-- reading: The baseline is the mean of GLM's four layer-0 cosines (printed.original_baseline). The gap is
--   one subtraction. Sigma is an effect size, as the accusation itself calls it: the gap over the root mean
--   square of the two standard deviations. Its page prints the eight cosines over layers 10, 20, 30 and 40 in
--   full (printed.accusation_baseline), and with the deviations of those values themselves it is 181.94. An
--   effect size over four and four chosen layers is no level of significance: what a test against chance says
--   is findings.honest_sigma, and with layer 0 among the layers it is findings.effect_size_with_layer_0.
--   Tolerances are half a digit of each figure that enters.
-- history: v2: sigma of the baseline alone is a reading beside the effect size
-- history: v3: from the cosines that the accusation prints; no cosine is assumed, and no formula tried
with

figures as (
    select distinct item, value, half_digit
    from printed
    where document = 'critique_readme' and section = 'Background'
),

quoted as (
    select
        max(value) filter (item = 'critique.readme.bg.within_0_377') as within_mean,
        max(value) filter (item = 'critique.readme.bg.cross_0_989') as cross_mean,
        max(half_digit) filter (item = 'critique.readme.bg.cross_0_989') as half_digit
    from figures
),

within_model as (
    select avg(value) as mean, max(half_digit) as half_digit
    from printed
    where section = 'Experiment 1' and metric = 'cosine' and aggregate is null and model_a = 'glm'
),

original as (
    select
        avg(value) filter (item like '%cross%') - avg(value) filter (item like '%within%') as gap,
        var_pop(value) filter (item like '%cross%') as cross_variance,
        var_pop(value) filter (item like '%within%') as within_variance
    from (
        select distinct item, value
        from printed
        where item similar to 'accusation.readme.(cross.layer_[1-4]0|within.glm_0_[1-4]0)'
    )
),

recomputed as (
    select
        within_model.mean,
        within_model.half_digit as row_half_digit,
        quoted.half_digit,
        cross_mean - within_mean as gap,
        original.gap / sqrt((cross_variance + within_variance) / 2) as sigma
    from quoted
    cross join within_model
    cross join original
)

select
    item,
    'plain' as reading,
    figures.value as expected,
    figures.half_digit + case item
        when 'critique.readme.bg.within_0_377' then row_half_digit
        when 'critique.readme.bg.difference_0_612' then 2 * recomputed.half_digit
        else 0
    end as tolerance,
    case item
        when 'critique.readme.bg.within_0_377' then recomputed.mean
        when 'critique.readme.bg.difference_0_612' then recomputed.gap
        when 'critique.readme.bg.sigma_182' then recomputed.sigma
    end as observed
from figures
cross join recomputed
where item <> 'critique.readme.bg.cross_0_989'
order by item
