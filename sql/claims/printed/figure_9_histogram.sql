-- id: printed.figure_9_histogram
-- title: The histograms of Figure 9 show all 4096 values of a vector.
-- documents: sionic_ko, sionic_en
-- section: C Figure 9, F.7, F.8, Scale
-- evidence: printed
-- needs:
-- version: 1
-- reading: The bins end at 2.0, and the code drops what lies beyond. The longest post-attention norms of GLM
--   are printed as 140; 4096 values of that length have a root mean square of 2.19, so some are above 2.0 and
--   not in the histogram. The length is taken at the end of its rounding that helps. Observed is the root mean
--   square.
with

bins as (
    select max(high) as last_edge
    from printed
    where item = 'sionic.f7.histogram_bins' and metric = 'gamma'
),

longest as (
    select max(high - half_digit) as length
    from printed
    where item = 'sionic.scale.glm.post_norm_deep' and model_a = 'glm'
),

dims as (
    select max(value) as d
    from printed
    where item = 'sionic.fig9.full_dim_histogram'
)

select
    'printed.figure_9_histogram' as item,
    'a vector of the printed length can lie within the bins' as statement,
    length / sqrt(d) <= last_edge as holds,
    length / sqrt(d) as observed
from longest
cross join dims
cross join bins
