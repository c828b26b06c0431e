-- id: analytic.conversion_noise
-- title: Mere conversion error would change about as many values in every layer.
-- documents: sionic_ko, sionic_en
-- section: 3 Figure 3-1(b)
-- evidence: analytic
-- needs:
-- version: 2
-- reading: Layers differ in the size of their weights, so layers of 4096 values around 0.04, 0.3 and 1.0 (standard
--   deviation a tenth of it) stand for them. Three conversions: BF16 values go to FP16 and to FP32 and back,
--   which changes none; FP32 values are rounded to BF16 directly or through FP16, which differ in some; FP32
--   values are rounded to BF16 or cut off, which differ in half. A format rounds relative to the value, so the
--   share of changed values must be about the same in each layer, within 0.1. Observed is the largest
--   difference between layers, of any conversion.
-- history: v2: conversions that change something beside those that change nothing; no disturbance of fixed size
with

layers as (
    select unnest([0.04, 0.3, 1.0]) as size
),

weights as (
    select
        size,
        size * (1 + cos(3 * i) / 7) as exact,
        2.0 ** (floor(log2(exact)) - 7) as step,
        step / 8 as fp16_step,
        round_even(exact / step, 0) * step as rounded
    from layers
    cross join range(4096) as dims (i)
),

converted as (
    select
        size,
        rounded,
        rounded::float::double as back_from_fp32,
        round_even(rounded / fp16_step, 0) * fp16_step as back_from_fp16,
        round_even(round_even(exact / fp16_step, 0) * fp16_step / step, 0) * step as through_fp16,
        trunc(exact / step) * step as cut_off
    from weights
),

changed as (
    select
        size,
        avg((back_from_fp32 <> rounded or back_from_fp16 <> rounded)::int) as there_and_back,
        avg((through_fp16 <> rounded)::int) as rounded_twice,
        avg((cut_off <> rounded)::int) as not_rounded
    from converted
    group by size
),

differences as (
    select
        greatest(
            max(there_and_back) - min(there_and_back),
            max(rounded_twice) - min(rounded_twice),
            max(not_rounded) - min(not_rounded)
        ) as largest
    from changed
)

select
    'sionic.fig3_1b.conversion_noise_would_be_uniform' as item,
    'plain' as reading,
    'each conversion changes about the same share of values in every layer' as statement,
    largest < 0.1 as holds,
    largest as observed
from differences
