-- id: findings.d2_1_against_exp4
-- title: Table D-2.1 and experiment 4 cannot both be right: some Solar-GLM cosines do not fit among the six.
-- documents: sionic_ko, sionic_en, critique_results
-- section: D-2.1, Experiment 4
-- evidence: printed
-- needs:
-- version: 2
-- reading: Solar and GLM are one of the six pairs behind each layer's mean m and standard deviation s. Of n
--   numbers none lies further than s·√(n − 1) from the mean (Samuelson's inequality, population standard
--   deviation), so a cosine of D-2.1 outside m ± s·√5 is none of the six. All three figures are taken at the
--   end of their rounding that helps the documents. Of the layers that both print, those outside are listed with
--   their distance; both tables are about input norms (for D-2.1 inferred from E.2). `any` counts them.
-- history: v2: a finding of ours, no longer a claim; what does not fit is shown, what fits is left out
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

outside as (
    select
        layer,
        greatest(
            mean_low - std * sqrt(n - 1) - (value + half_digit),
            (value - half_digit) - mean_high - std * sqrt(n - 1)
        ) as distance
    from matched_cosines
    join layer_figures using (layer)
    cross join pairs
    where distance > 0
),

listed as (
    select 0 as place, 'any' as item, 'a cosine of D-2.1 is none of the six' as statement, count(*) as observed
    from outside
    union all
    select layer, 'layer' || layer, 'the cosine lies outside what the six allow by this much', distance
    from outside
)

select item, 'plain' as reading, statement, observed > 0 as holds, observed
from listed
order by place
