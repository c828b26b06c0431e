-- id: printed.original_baseline
-- title: The original within-model baseline is GLM's layer 0 alone against layers 10, 20, 30 and 40.
-- documents: hyunwoong
-- section: 1 discussion 1
-- evidence: printed
-- needs:
-- version: 2
-- reading: The quoted code fixes GLM's layer 0. If so, the quoted baseline (0.377, as the critique's README
--   repeats it) is the mean of GLM's four cosines of experiment 1 and not of all eight of Solar and GLM: the
--   first must be within rounding of it (half a digit of each), the second must not. Observed is GLM's mean.
-- history: v2: names its reading
with

quoted as (
    select distinct value, half_digit
    from printed
    where item = 'critique.readme.bg.within_0_377'
),

cosines as (
    select distinct model_a, layer_b, value, half_digit
    from printed
    where section = 'Experiment 1' and metric = 'cosine' and aggregate is null
),

means as (
    select
        avg(value) filter (model_a = 'glm') as glm_mean,
        avg(value) as mean_of_both,
        max(half_digit) as half_digit
    from cosines
)

select
    'hyunwoong.s1.original_fixed_layer_0' as item,
    'plain' as reading,
    'the quoted baseline is the mean of GLM alone and not of both models' as statement,
    abs(glm_mean - quoted.value) <= quoted.half_digit + means.half_digit
    and abs(mean_of_both - quoted.value) > quoted.half_digit + means.half_digit as holds,
    glm_mean as observed
from means
cross join quoted
