-- id: printed.figure_1_sample
-- title: Figures 1, 3 and 4 show 50 dimensions, drawn by quartiles.
-- documents: sionic_ko, sionic_en
-- section: 1 Figure 1, F.7, F.8
-- evidence: printed
-- needs:
-- version: 2
-- reading: plain: every place prints 50. excerpt: the code excerpt in F.7, which cuts the averages of the two vectors
--   at their quartiles and takes n_samples // 4 indices from each bin, gives four times 50 // 4 = 12, which is 48;
--   it is an excerpt, and the whole script may add the rest. What the excerpt does is a definition.
-- history: v2: that every place prints 50 is the plain reading, the excerpt a reading beside it
with

sample as (
    select min(value) as dims, max(value) as most, count(distinct section) as places
    from printed
    where item = 'sionic.fig1.sample_50_by_quartile'
),

bins as (
    select max(value) as bins
    from printed
    where item = 'sionic.f7.sampling_excerpt_count' and metric = 'count'
)

select
    unnest([
        'sionic.f7.sampling_excerpt_count',
        'sionic.fig1.sample_50_by_quartile',
        'sionic.fig1.sample_50_by_quartile'
    ]) as item,
    unnest(['plain', 'plain', 'excerpt']) as reading,
    unnest([
        'four equal draws, one from each quartile',
        'every place prints the same number of dimensions',
        'the excerpt draws as many dimensions as the figure is said to show'
    ]) as statement,
    unnest([bins = 4, dims = most and places > 1, bins * floor(dims / bins) = dims]) as holds,
    unnest([floor(dims / bins), dims, bins * floor(dims / bins)]) as observed
from sample
cross join bins
