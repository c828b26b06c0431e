-- id: findings.sample_ranges
-- title: Two ranges printed for Figure 1 go beyond what Figures 2 and 8 say of all layers.
-- documents: sionic_ko, sionic_en
-- section: 1 Figure 1, 2 Figure 2, B.3 Figure 8
-- evidence: printed
-- needs:
-- version: 3
-- reading: A printed range is read as one whose ends are reached, within half a digit. Solar: up to 0.8 among 50
--   dimensions of layer 27, and at most 0.6 in any layer. Figure 1(c): cosines of matched layers up to 0.99, and
--   all of Figure 2(a), whose diagonal they are, about 0.94 to 0.95. Observed is the top of the range of
--   Figure 1.
-- history: v2: Figure 1(c) is held against Figure 2(a), too
-- history: v3: a finding of ours, no longer a claim; GLM's ranges, which fit, are left out
with

ranges as (
    select item, min(high - half_digit) as top, max(high + half_digit) as highest, max(high) as high
    from printed
    where low is not null and high is not null
    group by item
),

compared (name, inner_item, outer_item) as (
    values
    ('solar', 'sionic.fig1a.solar_range', 'sionic.fig8.minmax.solar'),
    ('figure_1c', 'sionic.fig1c.cosine_range', 'sionic.fig2a.cosine_level')
)

select
    name as item,
    'plain' as reading,
    'the range ends above the one that contains it' as statement,
    small.top > wide.highest as holds,
    small.high as observed
from compared
left join ranges as small on small.item = inner_item
left join ranges as wide on wide.item = outer_item
order by name
