-- id: hyunwoong.qwen3_4b
-- title: In Qwen3-4B too, layer 0 is less like layers 15 and 20 than layer 10 is.
-- documents: hyunwoong
-- section: 1 discussion 1
-- evidence: weights
-- needs: qwen3_4b
-- version: 1
-- reading: Input norm. The figures are said to be about right or at a level, and are held to half of their
--   last digit all the same. @truncated is the other plausible reading of a level, digits that begin so: for
--   0.97, from 0.97 to 0.98.
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
),

read_twice as (
    select item, layer_a, layer_b, value as expected, half_digit as tolerance
    from figures
    union all
    select
        item || '@truncated' as item, layer_a, layer_b,
        value + half_digit as expected, half_digit as tolerance
    from figures
    where layer_a = 10
)

select
    read_twice.item,
    read_twice.expected,
    read_twice.tolerance,
    cosines.cosine as observed
from read_twice
left join cosines using (layer_a, layer_b)
order by read_twice.item
