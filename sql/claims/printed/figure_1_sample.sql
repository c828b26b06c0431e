-- id: printed.figure_1_sample
-- title: Figures 1, 3 and 4 show 50 dimensions, drawn by the printed sampling code.
-- documents: sionic_ko, sionic_en
-- section: 1 Figure 1, F.7, F.8
-- evidence: printed
-- needs:
-- version: 1
-- reading: The excerpt in F.7 cuts the averages of the two vectors at their quartiles and draws
--   n_samples // 4 indices from each bin. Four bins of 50 // 4 = 12 are 48 bars, not 50. (A bin includes both
--   its ends, so an index that falls on a quartile may even be drawn twice.)
with

sample as (
    select distinct value as dims
    from printed
    where item = 'sionic.fig1.sample_50_by_quartile'
),

bins as (
    select distinct value as bins
    from printed
    where item = 'sionic.f7.sampling_excerpt_count' and metric = 'count'
),

drawn as (
    select
        dims,
        bins,
        floor(dims / bins) as dims_a_bin,
        bins * floor(dims / bins) as dims_drawn
    from sample
    cross join bins
)

select
    'sionic.f7.sampling_excerpt_count' as item,
    'four equal draws, one from each quartile' as statement,
    bins = 4 and dims_drawn = 4 * dims_a_bin as holds,
    dims_a_bin as observed
from drawn
union all
select
    'sionic.fig1.sample_50_by_quartile' as item,
    'the printed code draws as many dimensions as the figure is said to show' as statement,
    dims_drawn = dims as holds,
    dims_drawn as observed
from drawn
order by item
