-- id: hyunwoong.cross_model_cosine
-- title: Norm weights of the same layer are alike by cosine in any two of Solar, GLM and Phi.
-- documents: hyunwoong
-- section: 2
-- evidence: weights
-- needs: solar, glm, phi
-- version: 2
-- reading: Both norms at layers 10, 20 and 30: the lowest of a pair's six cosines is at least the printed
--   bound, not rounded.
-- history: v2: returns its reading
with

bounds as (
    select distinct item, model_a, model_b, low
    from printed
    where item like 'hyunwoong.s2.cross_cosine_gt_0_9.%'
),

lowest as (
    select model_a, model_b, min(cosine) as cosine
    from matched_layers
    where
        model_a in ('solar', 'glm') and model_b in ('glm', 'phi') and layer in (10, 20, 30)
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
    group by model_a, model_b
)

select
    bounds.item,
    'plain' as reading,
    format('{} and {}: the lowest of six cosines reaches the printed bound', model_a, model_b) as statement,
    lowest.cosine >= bounds.low as holds,
    lowest.cosine as observed
from bounds
left join lowest using (model_a, model_b)
order by bounds.item
