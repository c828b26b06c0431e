-- id: sionic.heatmap_layers
-- title: The heatmaps of Figures 2 and 5 have 47 layers a side, 0 to 46, and 32 where Phi is compared.
-- documents: sionic_ko, sionic_en
-- section: 2 Figure 2, 4 Figure 5, F.8
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 3
-- reading: An axis can be drawn when the model's files have an input norm for each of its layers; the axes
--   are those printed. 47 × 47: both models have at least that many; observed is the number of cells that can
--   be drawn. 0 to 46: both have every index; observed is how many indices both have up to 46. F.8: Solar's
--   layer 47 is the one layer that the two do not share; observed is the layer. Phi: each of the three
--   heatmaps can be 47 × 32; observed is how many. Under up_to_47, they are rectangles of 32 by the layers 0
--   to 46 that a model has: Phi has 32, and the others have more, 47 at most; observed is the fewest of these.
-- history: v2: the printed axes also give a number of layers now; only their indices are read
-- history: v3: 47 × 32 may be the size at most
with

axes as (
    select distinct item, model_a as model, value as layers
    from printed
    where item in ('sionic.fig2.shape_47x47', 'sionic.fig5.phi_heatmaps_47x32') and scope = 'heatmap_axis'
),

indices as (
    select min(low) as low, max(high) as high
    from printed
    where item = 'sionic.fig2.axes_0_46' and metric = 'layer_index'
),

excluded as (
    select max(value) as layer
    from printed
    where item = 'sionic.f8.heatmaps_use_layers_0_46' and scope = 'excluded_layer'
),

stored as (
    select model, layer
    from vector_stats
    where model in ('solar', 'glm', 'intellect', 'phi') and ln_type = 'input_layernorm'
),

counts as (
    select model, count(*) as layers
    from stored
    group by model
),

shared as (
    select
        count_if(s.layer is not null and g.layer is not null and layer between low and high) as on_both_axes,
        count_if(g.layer is null) as only_solar, count_if(s.layer is null) as only_glm,
        max(layer) filter (g.layer is null) as left_out
    from (from stored where model = 'solar') as s
    full join (from stored where model = 'glm') as g using (layer)
    cross join indices
),

drawable as (
    select
        item,
        bool_and(coalesce(counts.layers >= axes.layers, false)) as all_there,
        count_if(model <> 'phi' and counts.layers >= axes.layers) as sides,
        product(least(axes.layers, counts.layers)) as cells,
        bool_and(coalesce(counts.layers = axes.layers, false)) filter (model = 'phi') as is_phi_side,
        min(least(axes.layers, counts.layers)) filter (model <> 'phi') as shortest,
        max(least(axes.layers, counts.layers)) filter (model <> 'phi')
        = max(axes.layers) filter (model <> 'phi') as is_some_full
    from axes
    left join counts using (model)
    group by item
)

select item, 'plain' as reading, 'both have the layers of the axis' as statement, all_there as holds, cells as observed
from drawable
where item = 'sionic.fig2.shape_47x47'
union all
select
    drawable.item,
    unnest(['plain', 'up_to_47']) as reading,
    unnest(['three models can be drawn against Phi in that size', '… or as far as they have layers']) as statement,
    unnest([all_there, is_phi_side and is_some_full and shortest > axes.layers]) as holds,
    unnest([sides, shortest]) as observed
from drawable
join axes on axes.item = drawable.item and axes.model = 'phi'
where drawable.item = 'sionic.fig5.phi_heatmaps_47x32'
union all
select
    'sionic.fig2.axes_0_46', 'plain', 'both models have every index of the axis', on_both_axes = high - low + 1,
    on_both_axes
from shared
cross join indices
union all
select
    'sionic.f8.heatmaps_use_layers_0_46', 'plain', 'that layer is all that Solar and GLM do not share',
    only_solar = 1 and only_glm = 0 and left_out = excluded.layer, left_out
from shared
cross join excluded
order by item, reading
