-- one row per group of pairs without any relation: how z is distributed where nothing is to be found
select
    grouping,
    len(list_distinct(flatten(list([model_a, model_b])))) as models,
    count(*) as pairs,
    avg(k_eff / norms_used) as k_eff_share,
    avg(z_eff) as z_eff_mean,
    stddev_samp(z_eff) as z_eff_std,
    min(z_eff) as z_eff_min,
    max(z_eff) as z_eff_max,
    avg(z_naive) as z_naive_mean,
    stddev_samp(z_naive) as z_naive_std,
    max(z_naive) as z_naive_max
from unrelated_pairs
group by grouping
order by list_position(['all bases', 'plain', 'mixed', 'outliers', 'made and base'], grouping)
