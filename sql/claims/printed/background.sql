-- id: printed.background
-- title: The original argument: within a model 0.377, between models 0.989, a gap of 0.612 or 182 sigma.
-- documents: critique_readme
-- section: Background
-- evidence: printed
-- needs:
-- version: 2
-- reading: The baseline is the mean of GLM's four layer-0 cosines (printed.original_baseline). The gap is one
--   subtraction. Sigma is read as the effect size gap / √((s_within² + s_cross²) / 2) with population standard
--   deviations over layers 10, 20, 30 and 40. s_within is that of GLM's four. The four cross-model cosines are
--   not printed, but their mean is (0.989) and so is the one at layer 10 (0.9811); the smallest spread these
--   two allow is with the other three equal, s_cross = (0.989 − 0.9811) / √3, and it gives the largest sigma.
--   So 182 is an effect size over four and four chosen layers, not a level of significance: what a test
--   against chance says is findings.honest_sigma. The formula is not printed: this one was chosen because it
--   gives 182, of five tried; 134 (s_cross alone), 158 (sample deviations) and 179 (all eight layer-0 cosines)
--   are no nearer to the words. The rounding of 0.989 alone moves it from 172 to 193, so agreement to half a sigma
--   is weak evidence for the formula. of_the_baseline: a gap in sigmas is also understood as one in standard
--   deviations of the baseline alone, s_within. Tolerances are half a digit of each figure that enters.
-- history: v2: sigma of the baseline alone is a reading beside the effect size
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
    select avg(value) as mean, stddev_pop(value) as std, max(half_digit) as half_digit
    from printed
    where section = 'Experiment 1' and metric = 'cosine' and aggregate is null and model_a = 'glm'
),

layer_10 as (
    select max(value) as cosine
    from printed
    where section = 'Experiment 3' and item = 'critique.exp3.cosine.solar_glm'
),

recomputed as (
    select
        within_model.mean,
        within_model.half_digit as row_half_digit,
        quoted.half_digit,
        cross_mean - within_mean as gap,
        (cross_mean - cosine) / sqrt(3) as cross_std,
        (cross_mean - within_mean) / sqrt((within_model.std ** 2 + cross_std ** 2) / 2) as sigma,
        (cross_mean - within_mean) / within_model.std as sigma_of_the_baseline
    from quoted
    cross join within_model
    cross join layer_10
),

readings (item, reading) as (
    values
    ('critique.readme.bg.within_0_377', 'plain'),
    ('critique.readme.bg.difference_0_612', 'plain'),
    ('critique.readme.bg.sigma_182', 'plain'),
    ('critique.readme.bg.sigma_182', 'of_the_baseline')
)

select
    item,
    reading,
    figures.value as expected,
    figures.half_digit + case item
        when 'critique.readme.bg.within_0_377' then row_half_digit
        when 'critique.readme.bg.difference_0_612' then 2 * recomputed.half_digit
        else 0
    end as tolerance,
    case item
        when 'critique.readme.bg.within_0_377' then recomputed.mean
        when 'critique.readme.bg.difference_0_612' then recomputed.gap
        when 'critique.readme.bg.sigma_182'
            then case reading when 'plain' then recomputed.sigma else sigma_of_the_baseline end
    end as observed
from readings
left join figures using (item)
cross join recomputed
order by item, reading desc
