-- id: printed.accusation_baseline
-- title: Layers of one model have a cosine of 0.377, the two models 0.989: a gap of 0.612, or 182 sigma.
-- documents: accusation
-- section: lines 17-19, 30-31, 187-219, 249
-- evidence: printed
-- needs:
-- version: 1
-- reading: All figures follow from the twelve cosines in lines 191-208. Means are over layers 10, 20, 30 and 40; the
--   gap is the mean cosine of the two models minus GLM's baseline. The page calls 182 sigma an effect size: the gap
--   divided by the root mean square of the two standard deviations. These are population standard deviations
--   (divided by n = 4); sample standard deviations (divided by n - 1 = 3) give 157.6. An effect size says how far
--   apart two sets of figures are, relative to their own spreads. It is not a level of significance: see
--   analytic.accusation_significance. findings.effect_size_with_layer_0 has it for other layers. Tolerances are half
--   a unit of the last printed digit.
with

figures as (
    select distinct item, metric, value, half_digit
    from printed
    where document = 'accusation' and metric in ('cosine', 'sigma')
),

cosines as (
    select item, case when model_b = 'solar' or model_a = 'glm' then model_a else 'both' end as pair, value
    from printed
    where document = 'accusation' and regexp_matches(item, 'within\.(glm|solar)_0_[1-4]0$|cross\.layer_[1-4]0$')
),

means as (
    select
        avg(value) filter (pair = 'glm') as glm,
        avg(value) filter (pair = 'solar') as solar,
        avg(value) filter (pair = 'both') as both_models,
        stddev_pop(value) filter (pair = 'glm') as glm_std,
        stddev_pop(value) filter (pair = 'both') as both_std
    from cosines
),

recomputed as (
    select
        *,
        both_models - glm as gap,
        gap / sqrt((glm_std ** 2 + both_std ** 2) / 2) as sigma
    from means
),

observed (item, observed) as (
    select
        unnest([
            'within.glm_mean', 'within.solar_mean', 'cross.mean', 'gap_0_612', 'gap_points',
            'effect_size_182', 'stats.within_spread', 'stats.cross_spread'
        ]),
        unnest([glm, solar, both_models, gap, gap, sigma, glm_std, both_std])
    from recomputed
)

select
    figures.item,
    'plain' as reading,
    figures.value as expected,
    figures.half_digit as tolerance,
    observed.observed
from observed
left join figures on figures.item = 'accusation.readme.' || observed.item
order by figures.item
