-- one row per model and layer of the input norm
-- mean, spread and range of the weights by depth
with

chosen as (
    select unnest(coalesce(getvariable('models'), ['solar', 'glm', 'intellect', 'phi'])) as model
)

select
    model, layer, d,
    round(mean, 6) as mean,
    round(std, 6) as std,
    min::double as min, max::double as max
from vector_stats
semi join chosen using (model)
where ln_type = 'input_layernorm'
order by model, layer
