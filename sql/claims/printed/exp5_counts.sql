-- id: printed.exp5_counts
-- title: How many models experiment 5 compares: its counts of pairs beside its list of models.
-- documents: critique_results, critique_readme
-- section: Experiment 3, Experiment 5, Models, Visualisation, Run
-- evidence: printed
-- needs:
-- version: 2
-- reading: The list of models has four MoE and five others. Four and five make 6, 20 and 10 pairs, 36 in all;
--   printed are 6, 16 and 6, which is 28, all pairs of eight models. The MoE models are those of experiment 3,
--   the others the rest of the list. The README's nine-model matrix is held against the number of models whose
--   pairs the printed counts would be, its five MoE models against the list of RESULTS.md, which is
--   the later document. That a listed model was left out of the comparisons is possible and not said. Counts are
--   exact; the length of the list itself is a definition.
-- history: v2: names its reading
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
    select sum(value) as pairs
    from claimed
    where item like 'critique.exp5.count.%'
)

select
    claimed.item,
    'plain' as reading,
    claimed.value as expected,
    0 as tolerance,
    case claimed.item
        when 'critique.exp5.count.moe_moe' then moe * (moe - 1) / 2
        when 'critique.exp5.count.moe_non' then moe * other
        when 'critique.exp5.count.non_non' then other * (other - 1) / 2
        when 'critique.models.moe_four' then moe
        when 'critique.models.non_moe_five' then other
        when 'critique.readme.five_moe_models' then moe
        when 'critique.readme.nine_model_matrix' then (1 + sqrt(1 + 8 * pairs)) / 2
    end as observed
from claimed
cross join listed
cross join printed_pairs
order by claimed.item
