-- one row per group of pairs without relation, statistic and interval of half a standard deviation
-- what chance alone gives: the lineage test's z_eff, and the naive z that counts every norm in full
--
-- z: middle of the interval
-- density: share of the group's pairs in it, per standard deviation
-- normal: density of a standard normal distribution there
-- beyond: pairs of the group above the threshold
-- models: how many the pairs of the group are made of; all_models: the same of all groups
with

unrelated as (
    select grouping, model_a, model_b, z_eff, z_naive
    from calibration_pairs
    where relation <> 'related' and z_eff is not null
),

measured as (
    from (unpivot unrelated on z_eff, z_naive into name statistic value value)
),

summed_up as (
    select
        grouping, statistic,
        len(list_distinct(flatten(list([model_a, model_b])))) as models,
        count(*) as pairs,
        count_if(value >= share_z) as beyond
    from measured, lineage_thresholds()
    group by all
),

counted as (
    select grouping, statistic, round(2 * value) / 2 as z, count(*) as found
    from measured
    group by all
),

all_together as (
    select len(list_distinct(flatten(list([model_a, model_b])))) as all_models
    from unrelated
),

intervals as (
    select unnest(range((2 * least(min(z), -4))::integer, (2 * greatest(max(z), 5))::integer + 1)) / 2 as z
    from counted
)

select
    grouping, statistic, models, all_models, pairs, beyond, z,
    coalesce(found, 0) as found,
    round(coalesce(found, 0) / pairs / 0.5, 4) as density,
    round(exp(-0.5 * z * z) / sqrt(2 * pi()), 4) as normal,
    share_z as threshold
from summed_up
cross join intervals
cross join all_together
left join counted using (grouping, statistic, z)
cross join lineage_thresholds()
order by
    list_position(['plain', 'mixed', 'outliers', 'layernorm', 'sinusoidal', 'made and base'], grouping), statistic, z
