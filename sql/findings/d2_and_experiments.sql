-- id: findings.d2_and_experiments
-- title: Beside the critique's experiments, the averages of D-2 can stand; its deviation and some rows cannot.
-- documents: sionic_ko, sionic_en, critique_results
-- section: D-2.1, D-2.3, Experiment 3, Experiment 4, 6-2, 6-4
-- evidence: printed
-- needs:
-- version: 2
-- reading: What findings.layer_0_cosines, d2_3_spread and d2_1_against_exp4 come to for appendix D-2; which of the two
--   documents is right, printed figures cannot say. The critique's figures force the layer-0 cosine of Solar
--   and GLM below u_s·u_g + r with u = cos(0, 10) over u₁₀. With it, a mean of 0.9497 over 47 layers is possible
--   if no other layer is above 1; a standard deviation of 0.0012 is not, as one such layer alone needs
--   (mean − cosine) / √46. Of the ten rows of D-2.1, one cannot stand if it is such a layer 0, differs from the
--   cosine of experiment 3 (layer 10), or lies outside m ± s·√5 of experiment 4 where that has the layer.
--   Observed is the highest mean, the least standard deviation, and the number of rows that cannot stand.
-- history: v2: a finding of ours, no longer a claim, and another name (it was normhouse.d2_measurable); what
--   cannot stand is shown
with

layer_10 as (
    select
        min(value - half_digit) filter (metric = 'cosine') as c,
        max(value + half_digit) filter (metric = 'cosine') as c_high,
        max(abs(value) + half_digit) filter (metric = 'pearson') as r
    from printed
    where section = '6-2' and model_a = 'solar' and model_b = 'glm'
),

layer_0 as (
    select
        max(value + half_digit) filter (model_a = 'solar') * max(value + half_digit) filter (model_a = 'glm')
        / max((c ** 2 - r ** 2) / (1 - r ** 2)) as offset_share
    from printed
    cross join layer_10
    where section = '6-4' and metric = 'cosine'
),

table_rows as (
    select
        layer_a as layer,
        max(value) filter (metric = 'cosine') as cosine,
        max(value + half_digit) filter (metric = 'pearson') as r,
        max(half_digit) as half_digit
    from printed
    where section = 'D-2.1' and layer_a is not null
    group by layer_a
),

experiment_4 as (
    select
        layer_a as layer, max(value) filter (aggregate = 'mean') as mean,
        max(value + half_digit) filter (aggregate = 'std') * sqrt(5) as reach
    from printed
    where section = 'Experiment 4' and scope = 'moe_pairs'
    group by layer_a
),

judged_rows as (
    select
        case
            when layer = 0 then cosine - half_digit > offset_share + table_rows.r
            when layer = 10 then cosine + half_digit < c or cosine - half_digit > c_high
            else coalesce(abs(cosine - mean) > reach + 2 * half_digit, false)
        end as is_impossible
    from table_rows
    left join experiment_4 using (layer)
    cross join layer_0
    cross join layer_10
),

summary as (
    select
        max(printed.value) filter (aggregate = 'mean') as mean,
        max(printed.value) filter (aggregate = 'std') as std,
        max(offset_share + table_rows.r) as lowest
    from printed
    cross join layer_0
    join table_rows on table_rows.layer = 0
    where section = 'D-2.3' and scope = 'matched_layers' and metric = 'cosine'
)

select
    'average' as item, 'plain' as reading, 'the average over 47 layers can stand' as statement,
    mean <= (46 + lowest) / 47 as holds, (46 + lowest) / 47 as observed
from summary
union all
select
    'deviation', 'plain', 'the standard deviation is smaller than is possible',
    std < (mean - lowest) / sqrt(46), (mean - lowest) / sqrt(46)
from summary
union all
select 'rows', 'plain', 'some of the ten rows cannot stand', count_if(is_impossible) > 0, count_if(is_impossible)
from judged_rows
order by item
