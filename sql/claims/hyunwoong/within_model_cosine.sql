-- id: hyunwoong.within_model_cosine
-- title: Inside each of three models, norm weights of layers 10, 20 and 30 have cosines at the 0.99 level.
-- documents: hyunwoong
-- section: 1
-- evidence: weights
-- needs: solar, glm, phi
-- version: 2
-- reading: Both norms, so six cosines per model; observed is the lowest. "At the 0.99 level" is read as 0.99 or
--   more after rounding to the printed digits.
-- history: v2: returns its reading; 0.99 without rounding, which is stricter than the words, is gone
with

levels as (
    select distinct item, model_a as model, value, half_digit
    from printed
    where item like 'hyunwoong.s1.within_cosine_0_99.%'
),

lowest as (
    select model, min(cosine) as cosine
    from within_model
    where
        model in ('solar', 'glm', 'phi') and ln_type in ('input_layernorm', 'post_attention_layernorm')
        and layer_a in (10, 20, 30) and layer_b in (10, 20, 30)
    group by model
)

select
    levels.item,
    'plain' as reading,
    format('the lowest of the six cosines inside {} rounds to the printed level or above', model) as statement,
    lowest.cosine >= levels.value - levels.half_digit as holds,
    lowest.cosine as observed
from levels
left join lowest using (model)
order by levels.item
