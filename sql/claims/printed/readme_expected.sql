-- id: printed.readme_expected
-- title: What the README tells the reader to expect agrees with RESULTS.md.
-- documents: critique_readme, critique_now
-- section: Expected results
-- evidence: printed
-- needs:
-- version: 3
-- reading: Fair baseline: mean of the four adjacent-layer cosines of experiment 2. Cross-model: Solar and GLM
--   at layer 10 (experiment 3). Layer 0: mean of the eight cosines of experiment 1. The differences are of
--   these three. All are printed as "about" with two decimals: a whole unit of the last digit either way, plus
--   what the rounding of the RESULTS rows can add. beside_0_60: the difference of about 0.00 is printed beside
--   the other of about 0.60, and is negligible beside it: less than a twentieth.
-- history: v2: "about" is given a whole digit instead of half of it
-- history: v3: a difference of about 0.00 may be one that is negligible beside the other
with

claimed as (
    select distinct item, value, half_digit
    from printed
    where section = 'Expected results' and item like 'critique.readme.expected_%'
),

results as (
    select distinct item, section, value, half_digit
    from printed
    where
        document = 'critique_results'
        and metric = 'cosine'
        and aggregate is null
        and section in ('Experiment 1', 'Experiment 2', 'Experiment 3')
),

recomputed as (
    select
        avg(value) filter (section = 'Experiment 1') as layer_0,
        avg(value) filter (section = 'Experiment 2') as fair,
        max(value) filter (item = 'critique.exp3.cosine.solar_glm') as cross_model,
        max(half_digit) as half_digit
    from results
)

select
    claimed.item,
    'plain' as reading,
    claimed.value as expected,
    2 * claimed.half_digit + 2 * recomputed.half_digit as tolerance,
    case claimed.item
        when 'critique.readme.expected_fair_0_98' then fair
        when 'critique.readme.expected_cross_0_98' then cross_model
        when 'critique.readme.expected_fair_minus_cross_0' then fair - cross_model
        when 'critique.readme.expected_layer0_minus_cross_0_60' then cross_model - layer_0
    end as observed
from claimed
cross join recomputed
union all
select
    claimed.item, 'beside_0_60', claimed.value, (cross_model - layer_0) / 20, fair - cross_model
from claimed
cross join recomputed
where claimed.item = 'critique.readme.expected_fair_minus_cross_0'
order by 1, 2 desc
