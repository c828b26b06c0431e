-- id: findings.d2_3_spread
-- title: The standard deviations of D-2.3 and the layer 0 of the critique's experiments cannot both be right.
-- documents: sionic_ko, sionic_en, critique_results
-- section: D-2.3, Experiment 1, 6-2, 6-4
-- evidence: printed
-- needs:
-- version: 3
-- reading: By the argument of findings.layer_0_cosines a layer 0 has u₀ ≤ cos(0, 10) / u₁₀, about 0.38, and a
--   cosine with it is at most u_a·u_b + |r|. No Pearson of n exceeds mean + std·√(n − 1) (Samuelson), with
--   D-2.3's own figures. Matched: one of 47 cosines is that low, so the standard deviation is at least
--   (mean − highest) / √46. Mismatched: 46 pairs of row 0 and 46 of column 0 are at most 0.38 + |r|; a share p
--   that low needs a standard deviation of at least (mean − highest)·√(p / (1 − p)). The printed one is
--   below that. Figures are taken at the helpful end of their rounding. Observed is the least possible.
-- history: v2: the largest u of layer 0 is a view, printed_layer_0_offsets, once for four claims
-- history: v3: a finding of ours, no longer a claim; that the deviation is too small is shown
with

layer_0 as (
    select max(u) as u
    from printed_layer_0_offsets
),

sizes as (
    select max(value) filter (metric = 'layer_count') as layers, max(value) filter (metric = 'count') as pairs
    from printed
    where item = 'sionic.d2_2.offdiag_count_2162'
),

summary as (
    select
        scope,
        max(value - half_digit) filter (metric = 'cosine' and aggregate = 'mean') as mean,
        max(value + half_digit) filter (metric = 'cosine' and aggregate = 'std') as std,
        max(value + half_digit) filter (metric = 'pearson' and aggregate = 'mean') as r_mean,
        max(value + half_digit) filter (metric = 'pearson' and aggregate = 'std') as r_std
    from printed
    where section = 'D-2.3' and scope in ('matched_layers', 'mismatched_pairs')
    group by scope
),

least as (
    select
        scope,
        std,
        case scope when 'matched_layers' then layers else pairs end as n,
        case scope when 'matched_layers' then 1 else 2 * (layers - 1) end / n as p,
        case scope when 'matched_layers' then u * u else u end + r_mean + r_std * sqrt(n - 1) as highest,
        (mean - highest) * sqrt(p / (1 - p)) as least_std
    from summary
    cross join layer_0
    cross join sizes
)

select
    scope as item,
    'plain' as reading,
    'the printed standard deviation is smaller than such a layer 0 allows' as statement,
    std < least_std as holds,
    least_std as observed
from least
order by scope
