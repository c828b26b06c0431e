-- id: printed.fp32_practice
-- title: Practice forces LayerNorm into FP32 because 16-bit formats lose small changes of large weights.
-- documents: sionic_ko, sionic_en
-- section: Scale
-- evidence: printed
-- needs:
-- version: 1
-- reading: How common the practice is, no figure here decides. What can be decided is its reason: the largest
--   mean change that the documents print for fine-tuning (layer 0 of GLM and INTELLECT) added to a weight at
--   its printed initial value. The change must be below half a step of BF16 there, and so be lost, and above
--   half a step of FP32, and so be kept. A format with p bits of significand has steps of 2^(1 - p) from 1 to
--   2: p is 8 for BF16 and 24 for FP32. Observed is the change in half steps of BF16.
with

change as (
    select max(value) as delta
    from printed
    where metric = 'mean_abs_diff' and model_a = 'glm' and model_b = 'intellect'
),

start as (
    select max(value) as gamma
    from printed
    where item = 'sionic.a1.gamma_init_1'
),

half_steps as (
    select
        delta,
        2 ** (floor(log2(gamma)) - 8) as bf16,
        2 ** (floor(log2(gamma)) - 24) as fp32
    from change
    cross join start
)

select
    'sionic.scale.fp32_practice' as item,
    'the largest printed mean change is lost in BF16 and kept in FP32' as statement,
    delta < bf16 and delta > fp32 as holds,
    delta / bf16 as observed
from half_steps
