-- one row per group, statistic and level: how often chance alone goes beyond it, with Wilson's 95 % interval
-- the interval takes pairs as independent; they share models, so it is somewhat too narrow
with

quantiles as (
    -- of the standard normal distribution: one-sided 5 % and 1 %, two-sided 5 %
    select 1.6449 as above_5_percent, 2.3263 as above_1_percent, 1.96 as within_95_percent
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
),

with_wilson as (
    select
        counted.*,
        within_95_percent as z,
        1 + z ** 2 / pairs as divisor,
        (rate + z ** 2 / 2 / pairs) / divisor as centre,
        z * sqrt(rate * (1 - rate) / pairs + z ** 2 / 4 / pairs ** 2) / divisor as half_width
    from counted
    cross join quantiles
)

select
    grouping, statistic, level, cut, pairs, false_positives, rate,
    greatest(0, centre - half_width) as low,
    centre + half_width as high
from with_wilson
order by
    list_position(
        ['all bases', 'plain', 'mixed', 'outliers', 'layernorm', 'sinusoidal', 'made and base'], grouping
    ),
    statistic, cut
