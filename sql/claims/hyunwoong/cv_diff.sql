-- id: hyunwoong.cv_diff
-- title: Relative spreads (std / |mean|) of norm weights are almost the same in Solar, GLM and Phi.
-- documents: hyunwoong
-- section: 4.5
-- evidence: weights
-- needs: solar, glm, phi
-- version: 2
-- reading: Both norms at layers 10, 20 and 30, six differences per pair of models. The document prints 0, whose
--   half digit of 0.5 no difference of such small numbers can exceed. "Almost 0" is taken as 0.0 when cut off
--   after one decimal: the largest of the six, which is observed, is below 0.1. The spreads themselves are about
--   0.1, so a difference that is almost 0 may still be a good part of one; the document does not speak of that.
-- history: v2: digits may be cut off; the share of the spread, which the document does not speak of, is gone
with

claimed as (
    select distinct item, model_a, model_b
    from printed
    where item like 'hyunwoong.s4_5.cv_diff_about_0.%'
),

largest as (
    select model_a, model_b, max(cv_diff) as cv_diff
    from matched_layers
    where
        model_a in ('solar', 'glm') and model_b in ('glm', 'phi') and layer in (10, 20, 30)
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
    group by model_a, model_b
)

select
    claimed.item,
    'plain' as reading,
    format('{} and {}: all six differences are below 0.1', model_a, model_b) as statement,
    largest.cv_diff < 0.1 as holds,
    largest.cv_diff as observed
from claimed
left join largest using (model_a, model_b)
order by claimed.item
