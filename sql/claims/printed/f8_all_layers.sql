-- id: printed.f8_all_layers
-- title: The core analyses (Figures 2, 5 and 8) use all layers.
-- documents: sionic_ko, sionic_en
-- section: F.8
-- evidence: printed
-- needs:
-- version: 1
-- reading: The table above that sentence ends the axes of Figures 2 and 5 at layer 46 and says that Solar's
--   layer 47 is left out; E.1 gives Solar 48 layers. All layers are used if the last index on Solar's axis is
--   the number of its layers less one.
with

last_layer_shown as (
    select max(high) as layer
    from printed
    where item = 'sionic.f8.heatmaps_use_layers_0_46' and model_a = 'solar' and scope = 'heatmap_axis'
),

layers as (
    select max(value) as layers
    from printed
    where item = 'sionic.e1.layers.solar'
)

select
    'sionic.f8.core_uses_all_layers' as item,
    'the heat maps end at the last layer of Solar' as statement,
    layer = layers - 1 as holds,
    layer as observed
from last_layer_shown
cross join layers
