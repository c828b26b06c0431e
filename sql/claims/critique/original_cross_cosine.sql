-- id: critique.original_cross_cosine
-- title: The original analysis found a cosine of 0.989 between the same layers of Solar and GLM.
-- documents: critique_readme
-- section: Background
-- evidence: weights
-- needs: solar, glm
-- version: 1
-- reading: Neither layers nor norm are stated. Main reading: mean over layers 10, 20, 30 and 40 of the input
--   norm, the layers that the quoted baseline compares with layer 0. @all_layers: mean over all 47 layers
--   that both have, GLM's MTP layer among them.
with

figures as (
    select item, value, half_digit
    from printed
    where item = 'critique.readme.bg.cross_0_989'
),

cosines as (
    select layer, cosine
    from matched_layers
    where model_a = 'solar' and model_b = 'glm' and ln_type = 'input_layernorm'
),

means as (
    select '' as reading, avg(cosine) as cosine from cosines where layer in (10, 20, 30, 40)
    union all
    select '@all_layers' as reading, avg(cosine) as cosine from cosines
)

select
    figures.item || means.reading as item,
    figures.value as expected,
    figures.half_digit as tolerance,
    means.cosine as observed
from figures
cross join means
order by item
