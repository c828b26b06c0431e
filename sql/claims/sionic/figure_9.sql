-- id: sionic.figure_9
-- title: Figure 9: each ridge is a histogram of all values of a layer.
-- documents: sionic_ko, sionic_en
-- section: C Figure 9, F.7, F.8
-- evidence: weights
-- needs: solar, glm
-- version: 1
-- reading: Every third layer from 0 to 45, both norms, Solar and GLM. The quoted script counts what lies
--   between the edges of its bins and drops the rest without a word: all values are shown only if all lie
--   within the edges. Observed is the share that does.
with

edges as (
    select min(low) as low, max(high) as high
    from printed
    where item = 'sionic.f7.histogram_bins' and metric = 'gamma'
),

spacing as (
    select max(value) as gap
    from printed
    where item = 'sionic.fig9.every_third_layer'
),

ridges as (
    select avg((value between low and high)::integer) as inside
    from norms
    cross join edges
    cross join spacing
    where
        model in ('solar', 'glm') and ln_type in ('input_layernorm', 'post_attention_layernorm')
        and layer between 0 and 45 and layer % gap = 0
)

select
    'sionic.fig9.full_dim_histogram' as item,
    'every value of a drawn layer lies within the edges of the bins' as statement,
    inside = 1 as holds,
    inside as observed
from ridges
