-- one row per model and pair of its layers, input norm: layer 0 with later ones, and middle layers
-- how unlike the other layers is layer 0, and what is the baseline without it
--
-- experiment: 1 (layer 0 with others) or 2 (middle layers)
-- stated: the cosine that the document prints
with

stated_cosines as (
    select distinct model_a as model, layer_a, layer_b, value as stated
    from printed
    where
        document = 'critique_results' and section in ('Experiment 1', 'Experiment 2') and layer_b is not null
)

select
    if(layer_a = 0, 1, 2) as experiment,
    model,
    layer_a || '–' || layer_b as layers,
    round(cosine, 6) as cosine,
    round(pearson, 6) as pearson,
    stated
from within_model
left join stated_cosines using (model, layer_a, layer_b)
where
    model in ('solar', 'glm') and ln_type = 'input_layernorm'
    and (layer_a = 0 and layer_b in (10, 20, 30, 40) or (layer_a, layer_b) in ((10, 20), (20, 30)))
order by experiment, layer_a, layer_b, model
