-- id: critique.vocabulary
-- title: The vocabulary has 151 thousand entries in GLM and 196 thousand in Solar.
-- documents: critique_readme
-- section: FAQ Q1
-- evidence: weights
-- needs: solar, glm
-- version: 1
-- reading: The models are inferred: the document gives the change from one size to the other. The size is
--   the vocab_size of config.json.
with

figures as (
    select item, model_a as model, value, half_digit
    from printed
    where metric = 'vocab_size' and document = 'critique_readme'
),

sizes as (
    select model, vocab_size
    from models
)

select
    figures.item,
    figures.value as expected,
    figures.half_digit as tolerance,
    sizes.vocab_size as observed
from figures
left join sizes using (model)
order by figures.item
