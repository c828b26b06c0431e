-- id: hyunwoong.centered_between_models
-- title: Without the means, what was a high cosine between models mostly falls to about zero.
-- documents: hyunwoong
-- section: 3, 5
-- evidence: weights
-- needs: solar, glm, phi
-- version: 2
-- reading: Centered cosine is the Pearson correlation. Both norms at layers 10, 20 and 30, six values per pair
--   of models. The document prints 0, whose half digit of 0.5 says nothing; near 0 is taken as within 0.05,
--   about three standard deviations of unrelated vectors of 4096 values. "Mostly": in more than half of the
--   six. The drop: more than half of all eighteen have at least the printed raw cosine and a centered one
--   near 0. Observed is the share.
-- history: v2: returns its reading; that each of the six is near 0, more than "mostly" says, is gone
with

raw as (
    select item, low
    from printed
    where item = 'hyunwoong.s3.cosine_drops_to_centered' and relation = '>='
),

claimed as (
    select distinct item, model_a, model_b
    from printed
    where item like 'hyunwoong.s3.centered_near_0.%'
),

measured as (
    select model_a, model_b, cosine >= low as is_high, abs(pearson) <= 0.05 as is_near_0
    from matched_layers, raw
    where
        model_a in ('solar', 'glm') and model_b in ('glm', 'phi') and layer in (10, 20, 30)
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

by_pair as (
    select model_a, model_b, avg(is_near_0::integer) as share
    from measured
    group by model_a, model_b
),

dropped as (
    select avg((is_high and is_near_0)::integer) as share
    from measured
),

checks (item, statement, holds, observed) as (
    select
        item,
        format('{} and {}: more than half of the six are near 0', model_a, model_b),
        share > 0.5,
        share
    from claimed
    left join by_pair using (model_a, model_b)
    union all
    select item, 'more than half of eighteen are high raw and near 0 centered', share > 0.5, share
    from raw
    cross join dropped
)

select item, 'plain' as reading, statement, holds, observed
from checks
order by item
