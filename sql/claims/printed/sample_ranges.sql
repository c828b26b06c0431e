-- id: printed.sample_ranges
-- title: The ranges that Figure 1(a) shows at layer 27 fit what Figure 8 says of all layers.
-- documents: sionic_ko, sionic_en
-- section: 1 Figure 1, B.3 Figure 8
-- evidence: printed
-- needs:
-- version: 1
-- reading: A printed range of weights is read as one whose ends are reached, within half a digit. Solar: 0.2 to
--   0.8 among 50 dimensions of layer 27 must lie within 0.1 to 0.6, the smallest and largest of any layer. GLM:
--   0.5 to 1.0 must lie within 0.5 to 2.0, and its mean of about 1.0 must not be above the top of the sample
--   (a matter of reading: the sample is 50 of 4096). Observed is the top of the sample.
with samples as (
    select model_a as model, max(high) as top, max(low) as bottom, max(half_digit) as half_digit
    from printed
    where item in ('sionic.fig1a.solar_range', 'sionic.fig1a.glm_range')
    group by model_a
),
all_layers as (
    select model_a as model, max(high) as top, min(low) as bottom, max(half_digit) as half_digit
    from printed
    where item in ('sionic.fig8.minmax.solar', 'sionic.fig8.minmax.glm')
    group by model_a
),
glm_mean as (
    select max(value) as mean, max(half_digit) as half_digit
    from printed
    where item = 'sionic.fig8.mean.glm'
)

select
    'printed.sample_ranges.' || model as item,
    'the sample lies within the range of all layers' as statement,
    samples.top - samples.half_digit <= all_layers.top + all_layers.half_digit
        and samples.bottom + samples.half_digit >= all_layers.bottom - all_layers.half_digit as holds,
    samples.top as observed
from samples
join all_layers using (model)
union all
select
    'printed.sample_ranges.glm_mean' as item,
    'the mean of the layers is not above the top of the sample' as statement,
    mean - glm_mean.half_digit <= top + samples.half_digit as holds,
    top as observed
from samples
cross join glm_mean
where model = 'glm'
order by item
