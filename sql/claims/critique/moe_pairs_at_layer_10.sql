-- id: critique.moe_pairs_at_layer_10
-- title: Layer-10 input norms of four mixture-of-experts models: cosine of each of the six pairs.
-- documents: critique_results
-- section: Experiment 3
-- evidence: weights
-- needs: solar, glm, phi, mixtral
-- version: 2
-- reading: Held to the four digits of RESULTS.md; the README repeats the first pair with three.
-- history: v2: names the reading of each row
with

figures as (
    select item, model_a, model_b, value, half_digit
    from printed
    where section = 'Experiment 3' and metric = 'cosine' and aggregate is null
),

cosines as (
    select model_a, model_b, cosine
    from matched_layers
    where
        model_a in ('solar', 'glm', 'phi') and model_b in ('glm', 'phi', 'mixtral')
        and ln_type = 'input_layernorm' and layer = 10
)

select
    figures.item,
    'plain' as reading,
    figures.value as expected,
    figures.half_digit as tolerance,
    cosines.cosine as observed
from figures
left join cosines using (model_a, model_b)
order by figures.item
