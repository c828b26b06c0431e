-- id: printed.layer_0_offset
-- title: The offset of a norm vector is larger than its pattern, also at layer 0.
-- documents: sionic_ko, sionic_en, critique_results
-- section: A.4, 6-2, 6-4
-- evidence: printed
-- needs:
-- version: 1
-- reading: A.4 rests on ‖offset‖ > ‖pattern‖, which is u / v > 1 with u² + v² = 1. By printed.layer_0_cosines
--   a layer 0 has u at most cos(0, 10) / u₁₀ with u₁₀² ≥ (c² − r²) / (1 − r²) from Solar and GLM at layer 10, so
--   its ratio is at most u / √(1 − u²). Input norms of Solar and GLM. Observed is the largest ratio possible.
with layer_10 as (
    select
        min(value - half_digit) filter (metric = 'cosine') as c,
        max(abs(value) + half_digit) filter (metric = 'pearson') as r
    from printed
    where section = '6-2' and model_a = 'solar' and model_b = 'glm'
),
layer_0 as (
    select
        model_a as model,
        max(value + half_digit) / sqrt(any_value((c ** 2 - r ** 2) / (1 - r ** 2))) as u
    from printed
    cross join layer_10
    where section = '6-4' and metric = 'cosine'
    group by model_a
)

select
    'printed.layer_0_offset.' || model as item,
    'the offset of layer 0 can be larger than its pattern' as statement,
    u / sqrt(1 - u ** 2) > 1 as holds,
    u / sqrt(1 - u ** 2) as observed
from layer_0
order by model
