-- id: critique.layer_0_influence
-- title: A changed vocabulary shows most in the input norm of layer 0, less at 1 and least from 5 on.
-- documents: critique_readme
-- section: FAQ Q1
-- evidence: weights
-- needs: solar, glm
-- version: 2
-- reading: The document explains why layer 0 is special: it is nearest to the embedding. Causes do not show in
--   weights, and that Solar's vocabulary is a changed GLM one is taken for granted there; what can be seen is
--   the order that the explanation leads to: Solar and GLM are less alike at layer 0 than at layer 1, and
--   there less than at any layer from 5 to 45, the last decoder layer of GLM. Likeness is the cosine of the
--   input norms. Observed is the smaller of the two steps, and the order holds if it is above 0.
-- history: v2: names the reading
with

cosines as (
    select layer, cosine
    from matched_layers
    where model_a = 'solar' and model_b = 'glm' and ln_type = 'input_layernorm'
),

depths as (
    select
        max(cosine) filter (layer = 0) as at_0,
        max(cosine) filter (layer = 1) as at_1,
        min(cosine) filter (layer between 5 and 45) as lowest_from_5
    from cosines
),

steps as (
    select at_1 - at_0 as first_step, lowest_from_5 - at_1 as second_step
    from depths
)

select
    'critique.readme.layer0_influence_fades' as item,
    'plain' as reading,
    'the cosine rises from layer 0 to layer 1, and from there to every layer from 5 on' as statement,
    first_step > 0 and second_step > 0 as holds,
    case when first_step + second_step is not null then least(first_step, second_step) end as observed
from steps
