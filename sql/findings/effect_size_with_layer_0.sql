-- id: findings.effect_size_with_layer_0
-- title: Over the five layers that the script compares, layer 0 among them, the effect size of the gap is 1.80.
-- documents: accusation, accusation_output
-- section: lines 94, 189-219; definitive_proof.py line 210
-- evidence: printed
-- needs:
-- version: 1
-- reading: The README's mean of 0.989 is over layers 10, 20, 30 and 40, as it says, and layer 0 is printed apart
--   (0.127). Layer 0 is one side of every pair of the baseline. The published script compares five layers of the
--   two models, layer 0 first. four_layers: from the twelve printed cosines, 181.94. five_layers: with the printed
--   cosine of layer 0 added to the four, by the same formula. mean: that of the five. Which layers to compare is a
--   choice that the README states; the effect size depends on it, and so is no measure of evidence by itself.
with

cosines as (
    select distinct
        item, value,
        item like '%.within.glm_0_%' as is_within,
        item like '%.cross.layer_%' as is_of_four,
        item like '%layer0_0_127' as is_0
    from printed
    where document = 'accusation' and metric = 'cosine' and layer_b is not null and scope is null
),

spreads as (
    select
        avg(value) filter (is_within) as within_mean, stddev_pop(value) filter (is_within) as within_std,
        avg(value) filter (is_of_four) as four_mean, stddev_pop(value) filter (is_of_four) as four_std,
        avg(value) filter (is_of_four or is_0) as five_mean, stddev_pop(value) filter (is_of_four or is_0) as five_std
    from cosines
),

effects as (
    select
        (four_mean - within_mean) / sqrt((four_std ** 2 + within_std ** 2) / 2) as of_four,
        (five_mean - within_mean) / sqrt((five_std ** 2 + within_std ** 2) / 2) as of_five,
        five_mean
    from spreads
)

select
    unnest(['four_layers', 'five_layers', 'mean']) as item,
    'plain' as reading,
    unnest(['182 when rounded', 'below 2', 'below the 0.968 of all layers and both norms']) as statement,
    unnest([round(of_four) = 182, of_five < 2, five_mean < 0.968]) as holds,
    unnest([of_four, of_five, five_mean]) as observed
from effects
