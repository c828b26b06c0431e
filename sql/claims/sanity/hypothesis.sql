-- id: sanity.hypothesis
-- title: Norm weights stay mostly positive, so that independent models can have a high cosine, too.
-- documents: sanity
-- section: hypothesis
-- evidence: weights
-- needs: solar, glm, phi
-- version: 1
-- reading: A hypothesis, hedged with can. Both norms of Solar and GLM, layers 0 to 45, as in its table: in
--   each model more than half of the weights are positive; observed is the smaller share. Independent models:
--   GLM and Phi, whose makers differ and of which nobody says that one derives from the other; one input norm
--   of the same layer has a cosine of 0.9 or more; observed is the highest.
with

positive as (
    select model, count_if(value > 0) / count(*) as share
    from norms
    where
        model in ('solar', 'glm') and layer between 0 and 45
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
    group by model
),

independent as (
    select max(cosine) as cosine
    from matched_layers
    where model_a = 'glm' and model_b = 'phi' and ln_type = 'input_layernorm'
)

select
    'sanity.hypothesis.mostly_positive' as item, 'plain' as reading,
    'more than half of the weights are positive in each model' as statement,
    count(*) = 2 and min(share) > 0.5 as holds, min(share) as observed
from positive
union all
select
    'sanity.hypothesis.independent_can_be_high', 'plain', 'GLM and Phi have a layer with a high cosine',
    cosine >= 0.9, cosine
from independent
