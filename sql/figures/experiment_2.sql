-- one row per model and pair of its middle layers, input norm
-- the baseline between layers that are not the outlier
--
-- stated: the cosine that the document prints
with

stated_cosines as (
    select distinct model_a as model, layer_a, layer_b, value as stated
    from printed
    where document = 'critique_results' and section = 'Experiment 2' and layer_b is not null
)

select
    model, layer_a, layer_b,
    layer_a || '–' || layer_b as layers,
    round(cosine, 6) as cosine,
    round(pearson, 6) as pearson,
    stated
from within_model
left join stated_cosines using (model, layer_a, layer_b)
where
    model in ('solar', 'glm') and ln_type = 'input_layernorm'
    and (layer_a, layer_b) in ((10, 20), (20, 30))
order by model, layer_a
