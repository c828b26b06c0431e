-- one row per pair of models, layer of the first and layer of the second
-- which of six pairs of models have layers that agree in pattern
--
-- matched_mean: mean Pearson correlation over equal layers of the pair
with

chosen (model_a, model_b, panel) as (
    values
    ('solar', 'glm', 1), ('glm', 'intellect', 2), ('solar', 'intellect', 3),
    ('solar', 'phi', 4), ('glm', 'phi', 5), ('intellect', 'phi', 6)
),

grid as (
    from pairs
    where
        ln_type = 'input_layernorm'
        and model_a in ('solar', 'glm', 'intellect') and model_b in ('glm', 'intellect', 'phi')
)

select
    panel, model_a, model_b, layer_a, layer_b,
    round(pearson, 4) as pearson,
    avg(pearson) filter (layer_a = layer_b) over (partition by panel) as matched_mean
from grid
join chosen using (model_a, model_b)
order by panel, layer_a, layer_b
