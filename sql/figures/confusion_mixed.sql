-- one row per norm and ordered pair of points, each a model at a layer: solar, glm and phi at 10, 20 and 30
-- do layers of one model agree more than models at one layer
--
-- point_a: first model and layer, as on the axis
-- point_b: second model and layer
-- relation: same vector, same model, same layer, or neither
with

matrix as (
    select ln_type, model_a, layer_a, model_b, layer_b, cosine, pearson
    from pairs
    where
        ln_type in ('input_layernorm', 'post_attention_layernorm')
        and model_a in ('solar', 'glm', 'phi') and model_b in ('solar', 'glm', 'phi')
        and layer_a in (10, 20, 30) and layer_b in (10, 20, 30)
)

select
    ln_type, model_a, layer_a, model_b, layer_b,
    model_a || ' ' || layer_a as point_a,
    model_b || ' ' || layer_b as point_b,
    round(cosine, 6) as cosine,
    round(pearson, 6) as pearson,
    case
        when model_a = model_b and layer_a = layer_b then 'same vector'
        when model_a = model_b then 'same model'
        when layer_a = layer_b then 'same layer'
        else 'neither'
    end as relation
from matrix
order by ln_type, model_a, layer_a, model_b, layer_b
