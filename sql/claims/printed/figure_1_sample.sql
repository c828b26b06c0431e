-- id: printed.figure_1_sample
-- title: Figures 1, 3 and 4 show 50 dimensions, drawn by quartiles.
-- documents: sionic_ko, sionic_en
-- section: 1 Figure 1, F.7, F.8
-- evidence: printed
-- needs:
-- version: 3
-- reading: Every place prints 50. The code excerpt in F.7 cuts the averages of the two vectors at their quartiles
--   and takes n_samples // 4 indices from each bin, four times 12; that it abbreviates can be seen in the script
--   at the document's commit, which adds the rest to the first bins: 13 + 13 + 12 + 12 = 50. What the excerpt
--   does is a definition.
-- history: v2: that every place prints 50 is the plain reading, the excerpt a reading beside it
-- history: v3: without the excerpt as a reading; the script draws 50
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
    unnest(['sionic.f7.sampling_excerpt_count', 'sionic.fig1.sample_50_by_quartile']) as item,
    'plain' as reading,
    unnest([
        'four equal draws, one from each quartile',
        'every place prints the same number of dimensions'
    ]) as statement,
    unnest([bins = 4, dims = most and places > 1]) as holds,
    unnest([floor(dims / bins), dims]) as observed
from sample
cross join bins
