-- id: hyunwoong.qwen3_layer_0
-- title: Layer 0 is like layers 15 and 20 in the post norm of Qwen3-4B and in both norms of Qwen3-14B.
-- documents: hyunwoong
-- section: 1 discussion 1
-- evidence: weights
-- needs: qwen3_4b, qwen3_14b
-- version: 2
-- reading: "Or more" is taken without rounding. For the post norm of Qwen3-14B the document only says that it
--   is about as high as the input norm: the bound of the input norm is carried over, and may be rounded.
-- history: v2: returns its reading; what is only said to be about as high may be rounded
with

bounds as (
    select
        item, model_a as model, ln_type, layer_a, layer_b,
        low - half_digit * (model_a = 'qwen3_14b' and ln_type = 'post_attention_layernorm')::integer as low
    from printed
    where item like 'hyunwoong.s1.qwen3_%' and relation = '>='
),

cosines as (
    select model, ln_type, layer_a, layer_b, cosine
    from within_model
    where
        model in ('qwen3_4b', 'qwen3_14b') and ln_type in ('input_layernorm', 'post_attention_layernorm')
        and layer_a = 0 and layer_b in (15, 20)
)

select
    bounds.item,
    'plain' as reading,
    format('{} {}: layers 0 and {} reach the printed cosine', model, ln_type, layer_b) as statement,
    cosines.cosine >= bounds.low as holds,
    cosines.cosine as observed
from bounds
left join cosines using (model, ln_type, layer_a, layer_b)
order by bounds.item
