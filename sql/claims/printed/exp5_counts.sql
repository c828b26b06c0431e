-- id: printed.exp5_counts
-- title: How many models experiment 5 compares: its counts of pairs beside its list of models.
-- documents: critique_results, critique_readme, critique_now
-- section: Experiment 3, Experiment 5, Models, Visualisation, Run
-- evidence: printed
-- needs:
-- version: 3
-- reading: Printed are 6 pairs of MoE models, 16 mixed and 6 of dense ones. The MoE models are those of
--   experiment 3. The dense ones are as many as make the printed pairs with them, 16 / 4, if the list of models
--   has so many; then each count is compared with the pairs that these models make. The list of dense models
--   has five: listed counts them, which is a reading of "used" as good as compared, the number whose pairs are
--   printed. That one listed model was left out of the comparisons is possible and not said. The README's
--   nine-model matrix is compared with the number of models whose pairs are counted, its five MoE models with
--   the list of RESULTS.md, which is the later document.
-- history: v2: names its reading
-- history: v3: the counts are compared with each other; the length of the list is judged where it is printed
with

claimed as (
    select distinct item, value
    from printed
    where metric = 'count' and item in (
        'critique.exp5.count.moe_moe', 'critique.exp5.count.moe_non', 'critique.exp5.count.non_non',
        'critique.models.moe_four', 'critique.models.non_moe_five',
        'critique.readme.nine_model_matrix', 'critique.readme.five_moe_models'
    )
),

moe_models as (
    select model_a as model from printed where section = 'Experiment 3' and model_a is not null
    union
    select model_b as model from printed where section = 'Experiment 3' and model_b is not null
),

listed as (
    select
        count(distinct model_a) filter (model_a in (from moe_models)) as moe,
        count(distinct model_a) filter (model_a not in (from moe_models)) as other
    from printed
    where section = 'Models' and metric = 'hidden_size'
),

printed_pairs as (
    select
        sum(value) as pairs,
        max(value) filter (item = 'critique.exp5.count.moe_non') as mixed
    from claimed
    where item like 'critique.exp5.count.%'
),

compared as (
    select moe, other, pairs, least(mixed / moe, other) as dense
    from listed
    cross join printed_pairs
),

readings (item, reading) as (
    select item, 'plain' from claimed
    union all
    values ('critique.models.non_moe_five', 'compared')
)

select
    claimed.item,
    readings.reading,
    claimed.value as expected,
    0 as tolerance,
    case claimed.item
        when 'critique.exp5.count.moe_moe' then moe * (moe - 1) / 2
        when 'critique.exp5.count.moe_non' then moe * dense
        when 'critique.exp5.count.non_non' then dense * (dense - 1) / 2
        when 'critique.models.moe_four' then moe
        when 'critique.models.non_moe_five' then if(readings.reading = 'compared', dense, other)
        when 'critique.readme.five_moe_models' then moe
        when 'critique.readme.nine_model_matrix' then (1 + sqrt(1 + 8 * pairs)) / 2
    end as observed
from claimed
join readings using (item)
cross join compared
order by claimed.item, readings.reading desc
