-- id: findings.phi_pairs_mean
-- title: The conclusion's table sets the best layer of Phi's pairs beside the mean over layers of Solar and GLM.
-- documents: sionic_ko, sionic_en, critique_results
-- section: Conclusion, 4 Figure 4, Experiment 4, 6-2, 6-4
-- evidence: printed
-- needs:
-- version: 3
-- reading: An observation: the document cites 0.99 for Phi's pairs from Figure 4, which draws the best layer, and
--   claims no mean; its 0.95 for Solar and GLM is the mean of D-2.3, their best layer has 0.99 too. That 0.99
--   is no mean, by the critique's figures: over Phi's 32 layers, layer 0 is at most u₀ + |r| with
--   u₀ ≤ cos(0, 10) / u₁₀ for the other model, as in findings.layer_0_cosines, and |r| within the printed range of
--   Figure 4; the layers of experiment 4 are at most m + s·√5 (Samuelson) or 1; all others at most 1. The mean
--   of these bounds is below 0.99 less half a digit. Observed is the highest mean.
-- history: v2: the largest u of layer 0 is a view, printed_layer_0_offsets, once for four claims
-- history: v3: a finding of ours, no longer a claim: the document does not call it a mean
with

layer_0 as (
    select model, u
    from printed_layer_0_offsets
),

pearson_range as (
    select max(high + half_digit) as r
    from printed
    where item in ('sionic.fig4.pearson_range.phi_solar', 'sionic.fig4.pearson_range.glm_phi')
),

layer_bounds as (
    select
        layer_a as layer,
        least(
            1, max(value + half_digit) filter (aggregate = 'mean')
            + max(value + half_digit) filter (aggregate = 'std') * sqrt(5)
        ) as highest
    from printed
    where section = 'Experiment 4' and scope = 'moe_pairs'
    group by layer_a
),

phi_layers as (
    select max(value) as layers
    from printed
    where item = 'sionic.e1.layers.phi'
),

claimed as (
    select model_a as model, max(value - half_digit) as lowest
    from printed
    where item in ('sionic.conclusion.cosine.phi_solar', 'sionic.conclusion.cosine.phi_glm')
    group by model_a
),

bounded as (
    select
        claimed.model,
        claimed.lowest,
        (
            u + r
            + (select sum(highest) from layer_bounds)
            + (layers - 1 - (select count(*) from layer_bounds))
        ) / layers as highest
    from claimed
    left join layer_0 using (model)
    cross join pearson_range
    cross join phi_layers
)

select
    'phi_' || model as item,
    'plain' as reading,
    'a mean of ' || lowest || ' over 32 layers is above what is possible' as statement,
    lowest > highest as holds,
    highest as observed
from bounded
order by item
