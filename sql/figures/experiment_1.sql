-- one row per model and layer compared with its layer 0, input norm
-- how unlike the other layers is layer 0
--
-- stated: the cosine that the document prints
with

stated_cosines as (
    select distinct model_a as model, layer_a, layer_b, value as stated
    from printed
    where document = 'critique_results' and section = 'Experiment 1' and layer_b is not null
)

select model, layer_b as layer, round(cosine, 6) as cosine, round(pearson, 6) as pearson, stated
from within_model
left join stated_cosines using (model, layer_a, layer_b)
where
    model in ('solar', 'glm') and ln_type = 'input_layernorm'
    and layer_a = 0 and layer_b in (10, 20, 30, 40)
order by model, layer
