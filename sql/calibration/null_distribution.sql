-- one row per group of unrelated pairs and kind of norm (weights or biases): the null distribution of z; the kinds
-- apart, since the larger of two is above 0 on average
with

by_kind as (
    from (unpivot unrelated_pairs on z_weights, z_biases into name statistic value z)
)

select
    grouping,
    replace(statistic, 'z_', '') as kind,
    len(list_distinct(flatten(list([model_a, model_b])))) as models,
    count(*) as pairs,
    avg(k_eff / norms_used) as k_eff_share,
    avg(z) as z_mean,
    stddev_samp(z) as z_std,
    min(z) as z_min,
    max(z) as z_max,
    avg(z_naive) as z_naive_mean,
    stddev_samp(z_naive) as z_naive_std,
    max(z_naive) as z_naive_max
from by_kind
group by grouping, statistic
order by
    list_position(
        ['all bases', 'plain', 'mixed', 'outliers', 'layernorm', 'sinusoidal', 'made and base'], grouping
    ),
    statistic desc
