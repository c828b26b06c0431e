-- id: printed.d2_1_against_exp4
-- title: The Solar-GLM cosines of D-2.1 can be among the six that experiment 4 sums up, layer by layer.
-- documents: sionic_ko, sionic_en, critique_results
-- section: D-2.1, Experiment 4
-- evidence: printed
-- needs:
-- version: 1
-- reading: Solar and GLM are one of the six pairs behind each layer's mean m and standard deviation s. Of n
--   numbers none lies further than s·√(n − 1) from the mean (Samuelson's inequality, population standard
--   deviation), so D-2.1's cosine must be within m ± s·√5. All three figures are taken at the end of their
--   rounding that helps the documents. Layers 5 to 30 that both print; both are about input norms (for D-2.1
--   inferred from E.2). Observed is how far the cosine lies outside; 0 is inside.
with

layer_figures as (
    select
        layer_a as layer,
        max(value + half_digit) filter (aggregate = 'mean') as mean_high,
        min(value - half_digit) filter (aggregate = 'mean') as mean_low,
        max(value + half_digit) filter (aggregate = 'std') as std
    from printed
    where section = 'Experiment 4' and scope = 'moe_pairs'
    group by layer_a
),

pairs as (
    select count(distinct(model_a, model_b)) as n
    from printed
    where section = 'Experiment 3' and metric = 'cosine' and aggregate is null
),

matched_cosines as (
    select distinct layer_a as layer, value, half_digit
    from printed
    where section = 'D-2.1' and metric = 'cosine' and layer_a is not null
),

bounded as (
    select
        layer,
        greatest(
            0,
            mean_low - std * sqrt(n - 1) - (value + half_digit),
            (value - half_digit) - mean_high - std * sqrt(n - 1)
        ) as outside
    from matched_cosines
    join layer_figures using (layer)
    cross join pairs
)

select
    'printed.d2_1_against_exp4.layer' || layer as item,
    'the printed cosine fits among six with that mean and standard deviation' as statement,
    outside = 0 as holds,
    outside as observed
from bounded
order by layer
