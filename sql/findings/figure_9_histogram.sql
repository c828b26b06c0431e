-- id: findings.figure_9_histogram
-- title: The bins of Figure 9 end below the typical weight of GLM's longest norms, as their length is printed.
-- documents: sionic_ko, sionic_en
-- section: C Figure 9, F.7, F.8, Scale
-- evidence: printed
-- needs:
-- version: 2
-- reading: An observation for who looks at the figure. The bins end at 2.0, and the code leaves out what lies
--   beyond. The longest post-attention norms of GLM are printed as 140; 4096 values of that length have a root
--   mean square of 2.19. Whether such a layer is among the every third that are drawn is not printed. The length
--   is taken at the end of its rounding that helps. Observed is the root mean square.
-- history: v2: a finding of ours, no longer a claim: the longest layer need not be drawn
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
    'longest_norm' as item,
    'plain' as reading,
    'its root mean square is above the last edge of the bins' as statement,
    length / sqrt(d) > last_edge as holds,
    length / sqrt(d) as observed
from longest
cross join dims
cross join bins
