-- id: critique.layer_0_baseline
-- title: The input norm of layer 0 has cosines of about 0.38 with four later layers of its model.
-- documents: critique_results
-- section: Experiment 1
-- evidence: weights
-- needs: solar, glm
-- version: 2
-- reading: The document names its norm, input_layernorm, once for all experiments.
-- history: v2: names the reading of each row
with

figures as (
    select item, model_a as model, layer_b, value, half_digit
    from printed
    where section = 'Experiment 1' and metric = 'cosine' and aggregate is null
),

cosines as (
    select model, layer_b, cosine
    from within_model
    where
        model in ('solar', 'glm') and ln_type = 'input_layernorm'
        and layer_a = 0 and layer_b in (10, 20, 30, 40)
)

select
    figures.item,
    'plain' as reading,
    figures.value as expected,
    figures.half_digit as tolerance,
    cosines.cosine as observed
from figures
left join cosines using (model, layer_b)
order by figures.item
