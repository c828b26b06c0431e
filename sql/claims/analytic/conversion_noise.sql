-- id: analytic.conversion_noise
-- title: Mere conversion error would change about as many values in every layer.
-- documents: sionic_ko, sionic_en
-- section: 3 Figure 3-1(b)
-- evidence: analytic
-- needs:
-- version: 1
-- reading: Layers differ in the size of their weights, so layers of 4096 BF16 values around 0.04, 0.3 and 1.0
--   (standard deviation a tenth of it) stand for them. Conversion: BF16 to FP16 and back, and BF16 to FP32 and
--   back, must change the same share in each; it changes none, as FP16 has more bits and these weights are
--   within its range. So any change at all is more than a format round trip. A second reading takes error as
--   a disturbance of the same absolute size everywhere (2^-10, then rounded to BF16): it changes most values
--   where weights are small and few where they are large, because BF16 steps grow with the value. Shares are
--   about the same when they differ by less than 0.1. Observed is the largest difference between layers.
with

layers as (
    select unnest([0.04, 0.3, 1.0]) as size
),

weights as (
    select
        size,
        sin(i) * 2.0 ** -10 as disturbance,
        size * (1 + cos(3 * i) / 7) as exact,
        2.0 ** (floor(log2(exact)) - 7) as step,
        round_even(exact / step, 0) * step as stored
    from layers
    cross join range(4096) as dims (i)
),

disturbed as (
    select
        size,
        stored,
        stored::float::double as through_fp32,
        round_even(stored / (step / 8), 0) * (step / 8) as through_fp16,
        stored + disturbance as moved,
        2.0 ** (floor(log2(moved)) - 7) as moved_step
    from weights
),

changed as (
    select
        size,
        avg((through_fp32 <> stored or through_fp16 <> stored)::int) as by_conversion,
        avg((round_even(moved / moved_step, 0) * moved_step <> stored)::int) as by_disturbance
    from disturbed
    group by size
)

select
    'sionic.fig3_1b.conversion_noise_would_be_uniform' as item,
    'conversion between formats changes the same share in every layer' as statement,
    max(by_conversion) - min(by_conversion) < 0.1 as holds,
    max(by_conversion) - min(by_conversion) as observed
from changed
union all
select
    'sionic.fig3_1b.conversion_noise_would_be_uniform@absolute' as item,
    'a disturbance of one absolute size changes the same share in every layer' as statement,
    max(by_disturbance) - min(by_disturbance) < 0.1 as holds,
    max(by_disturbance) - min(by_disturbance) as observed
from changed
order by item
