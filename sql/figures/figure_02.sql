-- one row per layer of the first and layer of the second model
-- is any layer of one model like any layer of the other, and do equal layers stand out
--
-- cells_below_090: how many cells have a cosine below 0.90, where the colours of the document end
-- matched_mean_cosine: mean over equal layers; likewise for Pearson, and mismatched for unequal layers
with

grid as (
    from layer_grid(
        coalesce(getvariable('model_a'), 'solar'), coalesce(getvariable('model_b'), 'glm'), 'input_layernorm'
    )
)

select
    coalesce(getvariable('model_a'), 'solar') as model_a,
    coalesce(getvariable('model_b'), 'glm') as model_b,
    layer_a, layer_b,
    round(cosine, 5) as cosine,
    round(pearson, 5) as pearson,
    count_if(cosine < 0.90) over () as cells_below_090,
    avg(cosine) filter (layer_a = layer_b) over () as matched_mean_cosine,
    avg(cosine) filter (layer_a <> layer_b) over () as mismatched_mean_cosine,
    avg(pearson) filter (layer_a = layer_b) over () as matched_mean_pearson,
    avg(pearson) filter (layer_a <> layer_b) over () as mismatched_mean_pearson
from grid
order by layer_a, layer_b
