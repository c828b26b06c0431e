-- one row per group of pairs without relation and statistic: how it is distributed where nothing is to be found
-- beyond_5_percent and beyond_1_percent: how many z are above what a normal number is in 5 % and 1 % of cases
with

unrelated as (
    from slice_calibration
    where relation <> 'related'
),

grouped as (
    from unrelated
    union all by name
    select * replace ('all' as grouping)
    from unrelated
),

measured as (
    from (
        unpivot grouped
        on
        z_norms, z_order_folded, z_order_plain, z_sign_folded, z_sign_plain, z_tokenless_folded, z_tokenless_plain,
        share_folded, share_plain
        into name statistic value value
    )
)

select
    grouping, statistic,
    count(*) as pairs,
    count_if(starts_with(verdict, 'share weight history'))::integer as called_related,
    avg(value) as mean,
    stddev_samp(value) as std,
    min(value) as min,
    max(value) as max,
    case when starts_with(statistic, 'z') then avg((value > 1.6449)::integer) end as beyond_5_percent,
    case when starts_with(statistic, 'z') then avg((value > 2.3263)::integer) end as beyond_1_percent
from measured
group by grouping, statistic
order by
    list_position(['all', 'plain', 'outliers', 'stress', 'mixed', 'made and base'], grouping),
    list_position(
        [
            'z_norms', 'z_order_folded', 'z_order_plain', 'z_sign_folded', 'z_sign_plain', 'z_tokenless_folded',
            'z_tokenless_plain', 'share_folded', 'share_plain'
        ],
        statistic
    )
