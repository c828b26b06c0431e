-- id: printed.f8_all_layers
-- title: The core analyses (Figures 2, 5 and 8) use all layers.
-- documents: sionic_ko, sionic_en
-- section: F.8
-- evidence: printed
-- needs:
-- version: 2
-- reading: The table right above that sentence says that the heat maps use layers 0 to 46, to match the 47 layers of
--   GLM, and leave Solar's layer 47 out. plain: all layers in that sense, so the axes end at the last of GLM's
--   layers as F.8 counts them. of_solar: every layer of Solar, too, of which E.1 counts 48. Observed is the last
--   index on the axes.
-- history: v2: the exclusion is right above; every layer of Solar is a reading beside it
with

axes as (
    select
        max(high) filter (model_a = 'solar') as solar,
        max(high) filter (model_a = 'glm') as glm
    from printed
    where item = 'sionic.f8.heatmaps_use_layers_0_46' and scope = 'heatmap_axis'
),

layers as (
    select
        max(value) filter (item = 'sionic.e1.layers.solar') as solar,
        max(value) filter (item = 'sionic.e1.layers.glm_47') as glm
    from printed
)

select
    'sionic.f8.core_uses_all_layers' as item,
    unnest(['plain', 'of_solar']) as reading,
    unnest([
        'the heat maps end at the last of the layers that F.8 counts for GLM',
        'the heat maps end at the last layer of Solar'
    ]) as statement,
    unnest([axes.glm = layers.glm - 1 and axes.solar >= axes.glm, axes.solar = layers.solar - 1]) as holds,
    unnest([axes.glm, axes.solar]) as observed
from axes
cross join layers
