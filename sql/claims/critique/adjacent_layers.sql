-- id: critique.adjacent_layers
-- title: Away from the first layer, input norms ten layers apart in one model have cosines near 0.99.
-- documents: critique_results
-- section: Experiment 2
-- evidence: weights
-- needs: solar, glm
-- version: 2
-- reading: The document calls layers 10 and 20, and 20 and 30, adjacent. Its norm is input_layernorm.
--   Its script prints four rounded digits, so half a digit is the tolerance.
-- history: v2: names the reading of each row
with

figures as (
    select item, model_a as model, layer_a, layer_b, value, half_digit
    from printed
    where section = 'Experiment 2' and metric = 'cosine' and aggregate is null
),

cosines as (
    select model, layer_a, layer_b, cosine
    from within_model
    where
        model in ('solar', 'glm') and ln_type = 'input_layernorm'
        and layer_a in (10, 20) and layer_b in (20, 30)
)

select
    figures.item,
    'plain' as reading,
    figures.value as expected,
    figures.half_digit as tolerance,
    cosines.cosine as observed
from figures
left join cosines using (model, layer_a, layer_b)
order by figures.item
