-- id: printed.layer_0_offset
-- title: The offset of a norm vector is larger than its pattern, also at layer 0.
-- documents: sionic_ko, sionic_en, critique_results
-- section: A.4, 6-2, 6-4
-- evidence: printed
-- needs:
-- version: 2
-- reading: A.4 rests on ‖offset‖ > ‖pattern‖, which is u / v > 1 with u² + v² = 1. By printed.layer_0_cosines
--   a layer 0 has u at most cos(0, 10) / u₁₀ with u₁₀² ≥ (c² − r²) / (1 − r²) from Solar and GLM at layer 10, so
--   its ratio is at most u / √(1 − u²). Input norms of Solar and GLM. Observed is the largest ratio possible.
-- history: v2: the largest u of layer 0 is a view, printed_layer_0_offsets, once for four claims

select
    'printed.layer_0_offset.' || model as item,
    'the offset of layer 0 can be larger than its pattern' as statement,
    u / sqrt(1 - u ** 2) > 1 as holds,
    u / sqrt(1 - u ** 2) as observed
from printed_layer_0_offsets
order by model
