-- one row per model, layer and dimension, first 100 dimensions of the input norm
-- the weights as a surface over dimension and depth
with

layers as (
    select model, layer, weights[:100] as values
    from vectors
    where model in ('solar', 'glm', 'intellect', 'phi') and ln_type = 'input_layernorm'
)

select
    model, layer,
    unnest(range(len(values))) as dim,
    unnest(list_transform(values, lambda x: round(x::double, 4))) as value
from layers
order by model, layer, dim
