-- id: critique.vocabulary
-- title: The vocabulary has 151 thousand entries in GLM and 196 thousand in Solar.
-- documents: critique_readme
-- section: FAQ Q1
-- evidence: weights
-- needs: solar, glm
-- version: 2
-- reading: The models are inferred: the document gives the change from one size to the other. The size is
--   the vocab_size of config.json. 151K may be rounded or cut off, so half a thousand below is near enough,
--   and a whole thousand above.
-- history: v2: a figure that is cut off is as fair as one that is rounded
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
    'plain' as reading,
    figures.value as expected,
    case when sizes.vocab_size > figures.value then 2 else 1 end * figures.half_digit as tolerance,
    sizes.vocab_size as observed
from figures
left join sizes using (model)
order by figures.item
