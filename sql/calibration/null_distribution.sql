-- one row per group of pairs without any relation and part of their norms: how z is distributed where nothing is to be
-- found; weights and biases apart, since the larger of two is above 0 on average
with

parts as (
    from (unpivot unrelated_pairs on z_weights, z_biases into name part value z)
)

select
    grouping,
    replace(part, 'z_', '') as part,
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
from parts
group by grouping, part
order by
    list_position(
        ['all bases', 'plain', 'mixed', 'outliers', 'layernorm', 'sinusoidal', 'made and base'], grouping
    ),
    part desc
