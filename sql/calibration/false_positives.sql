-- one row per group, statistic and level: how often chance alone goes beyond it
-- low, high: the 95 % interval, by a bootstrap over models, which analysis/lineage/rates.py fills in
with

quantiles as (
    -- of the standard normal distribution
    select 1.6449 as above_5_percent, 2.3263 as above_1_percent
),

levels (level, cut) as (
    select unnest(['5 %', '1 %', 'ours']), unnest([above_5_percent, above_1_percent, share_z])
    from quantiles
    cross join lineage_thresholds()
),

counted as (
    select
        grouping, statistic, level, cut,
        count(*) as pairs,
        count_if(value > cut)::integer as false_positives,
        false_positives / pairs as rate
    from (unpivot unrelated_pairs on z_eff, z_naive into name statistic value value)
    cross join levels
    group by all
)

select
    grouping, statistic, level, cut, pairs, false_positives, rate, null::double as low, null::double as high
from counted
order by
    list_position(
        ['all bases', 'plain', 'mixed', 'outliers', 'layernorm', 'sinusoidal', 'made and base'], grouping
    ),
    statistic, cut
