-- id: hyunwoong.qwen3_4b
-- title: In Qwen3-4B too, layer 0 is less like layers 15 and 20 than layer 10 is.
-- documents: hyunwoong
-- section: 1 discussion 1
-- evidence: weights
-- needs: qwen3_4b
-- version: 2
-- reading: Input norm. The figures are said to be about right or at a level, and may be rounded or cut off:
--   a whole unit of the last printed digit either way is allowed.
-- history: v2: one reading that allows for rounding as well as for digits cut off, in place of two
with

figures as (
    select item, layer_a, layer_b, value, half_digit
    from printed
    where item like 'hyunwoong.s1.qwen3_4b.input.%'
),

cosines as (
    select layer_a, layer_b, cosine
    from within_model
    where
        model = 'qwen3_4b' and ln_type = 'input_layernorm'
        and layer_a in (0, 10) and layer_b in (15, 20)
)

select
    figures.item,
    'plain' as reading,
    figures.value as expected,
    2 * figures.half_digit as tolerance,
    cosines.cosine as observed
from figures
left join cosines using (layer_a, layer_b)
order by figures.item
