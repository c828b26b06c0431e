-- id: critique.moe_pairs_by_layer
-- title: Mean and spread of the six cosines between four mixture-of-experts models, at five more layers.
-- documents: critique_results
-- section: Experiment 4
-- evidence: weights
-- needs: solar, glm, phi, mixtral
-- version: 2
-- reading: Layers 5, 15, 20, 25 and 30; layer 10 is experiment 3 over again. Each pair counts once. Standard
--   deviation as of a population, as in experiment 3, where the printed one can be told from the sample's.
-- history: v2: names the reading of each row
with

figures as (
    select item, layer_a as layer, aggregate, value, half_digit
    from printed
    where item like 'critique.exp4.mean.layer%' or item like 'critique.exp4.std.layer%'
),

cosines as (
    select layer, cosine
    from matched_layers
    where
        model_a in ('solar', 'glm', 'phi', 'mixtral') and model_b in ('solar', 'glm', 'phi', 'mixtral')
        and model_a < model_b and ln_type = 'input_layernorm' and layer in (5, 15, 20, 25, 30)
),

layers as (
    select layer, avg(cosine) as mean, stddev_pop(cosine) as std
    from cosines
    group by layer
)

select
    figures.item,
    'plain' as reading,
    figures.value as expected,
    figures.half_digit as tolerance,
    case figures.aggregate when 'mean' then layers.mean else layers.std end as observed
from figures
left join layers using (layer)
order by figures.layer, figures.aggregate
