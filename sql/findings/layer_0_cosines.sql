-- id: findings.layer_0_cosines
-- title: The cosines above 0.93 that sionic prints for layer 0 and the critique's experiments cannot both be right.
-- documents: sionic_ko, sionic_en, critique_results
-- section: 1 Figure 1, 2 Figure 2, D-2.1, D-2.2, Experiment 1, Experiment 3, 6-2, 6-4
-- evidence: printed
-- needs:
-- version: 4
-- reading: Exactly, cos = u_a·u_b + r·v_a·v_b with u² + v² = 1; for given u_a and r it is at most
--   √(u_a² + r²·v_a²). Solar and GLM at layer 10 (cos 0.9811, r 0.0092) force u₁₀² ≥ (cos² − r²) / (1 − r²) for
--   each. Layer 0 against layer 10 of the same model (0.3731 and 0.3758, r above 0) forces u₀ ≤ cos / u₁₀. So
--   u₀ is at most 0.381 and 0.384, and a cosine with a layer 0 can reach no more than
--   min(u_a, 1)·min(u_b, 1) + |r|. The Pearson is the one printed beside the cosine; for Figure 1(c) the end
--   of its printed range; for Figure 2(a), about 0.94 in row and column 0 too, that of the pair of layers that
--   comes nearest. Every figure is taken at the end of its rounding that helps. Observed is the highest cosine
--   that is possible.
-- history: v2: the red of Figure 2(a), which begins above 0.90, is an item of its own
-- history: v3: the largest u of layer 0 is a view, printed_layer_0_offsets, once for four claims
-- history: v4: a finding of ours, no longer a claim; Figure 2(a) is one check, its colour none
with

layer_0 as (
    select model, 0 as layer, u
    from printed_layer_0_offsets
),

tables as (
    select
        's' || layer_a || '_g' || layer_b as item,
        layer_a,
        layer_b,
        min(value - half_digit) filter (metric = 'cosine') as cosine,
        max(abs(value) + half_digit) filter (metric = 'pearson') as r
    from printed
    where section in ('D-2.1', 'D-2.2') and 0 in (layer_a, layer_b)
    group by layer_a, layer_b
),

figures as (
    select
        min(low - half_digit) filter (item = 'sionic.fig1c.cosine_range') as figure_1c,
        max(high + half_digit) filter (item = 'sionic.fig1c.pearson_range') as r,
        min(low - half_digit) filter (item = 'sionic.fig2a.cosine_level') as figure_2a
    from printed
),

claimed as (
    from tables
    union all
    select 'figure_2a' as item, layer_a, layer_b, figure_2a as cosine, tables.r
    from tables
    cross join figures
    union all
    select 'figure_1c' as item, 0 as layer_a, 0 as layer_b, figure_1c as cosine, r
    from figures
),

possible as (
    select item, max(cosine) as cosine, max(coalesce(a.u, 1) * coalesce(b.u, 1) + r) as highest
    from claimed
    left join layer_0 as a on a.model = 'solar' and a.layer = layer_a
    left join layer_0 as b on b.model = 'glm' and b.layer = layer_b
    group by item
)

select
    item,
    'plain' as reading,
    'a cosine of at least ' || round(cosine, 4) || ' is above what is possible' as statement,
    cosine > highest as holds,
    highest as observed
from possible
order by item
