-- id: printed.sample_ranges
-- title: The ranges that Figure 1 shows fit what Figures 2 and 8 say of all layers.
-- documents: sionic_ko, sionic_en
-- section: 1 Figure 1, 2 Figure 2, B.3 Figure 8
-- evidence: printed
-- needs:
-- version: 2
-- reading: A printed range is read as one whose ends are reached, within half a digit. Solar: 0.2 to 0.8 among
--   50 dimensions of layer 27 must lie within 0.1 to 0.6, the smallest and largest of any layer. GLM: 0.5 to
--   1.0 must lie within 0.5 to 2.0, and its mean of about 1.0 must not be above the top of the sample (a matter
--   of reading: the sample is 50 of 4096). Figure 1(c): the cosines of matched layers, 0.94 to 0.99, are the
--   diagonal of Figure 2(a), which is about 0.94 to 0.95 everywhere. Observed is the top of the inner range.
-- history: v2: Figure 1(c) is held against Figure 2(a), too
with

ranges as (
    select distinct item, low, high, half_digit
    from printed
    where low is not null and high is not null
),

compared (name, inner_item, outer_item) as (
    values
    ('solar', 'sionic.fig1a.solar_range', 'sionic.fig8.minmax.solar'),
    ('glm', 'sionic.fig1a.glm_range', 'sionic.fig8.minmax.glm'),
    ('figure_1c', 'sionic.fig1c.cosine_range', 'sionic.fig2a.cosine_level')
),

glm_mean as (
    select max(value) as mean, max(half_digit) as half_digit
    from printed
    where item = 'sionic.fig8.mean.glm'
)

select
    'printed.sample_ranges.' || name as item,
    'the range lies within the wider one' as statement,
    small.high - small.half_digit <= wide.high + wide.half_digit
    and small.low + small.half_digit >= wide.low - wide.half_digit as holds,
    small.high as observed
from compared
left join ranges as small on small.item = inner_item
left join ranges as wide on wide.item = outer_item
union all
select
    'printed.sample_ranges.glm_mean' as item,
    'the mean of the layers is not above the top of the sample' as statement,
    mean - glm_mean.half_digit <= high + ranges.half_digit as holds,
    high as observed
from ranges
cross join glm_mean
where item = 'sionic.fig1a.glm_range'
order by item
