-- one row per kind of pairs of real models, from the table `real_judged`: what the test says, and how z is distributed
-- pairs that repeat others are left out of all but shared_in_all, which must be 0 where nothing is related
--
-- models: how many models these pairs share
-- families: how many the first models of the pairs belong to
select
    kind,
    len(list_distinct(list_concat(
        list(model_a) filter (not repeated), list(model_b) filter (not repeated)
    )))::integer as models,
    count(distinct family_a)::integer as families,
    count_if(not repeated)::integer as pairs,
    count_if(not repeated and is_shared)::integer as shared,
    count_if(not repeated and is_open)::integer as cannot_tell,
    -- apart, since the larger of two has a mean above 0 where nothing is related
    avg(z_weights) filter (not repeated) as weights_mean,
    stddev_samp(z_weights) filter (not repeated) as weights_std,
    avg(z_biases) filter (not repeated) as biases_mean,
    stddev_samp(z_biases) filter (not repeated) as biases_std,
    min(z_eff) filter (not repeated) as z_min,
    max(z_eff) filter (not repeated) as z_max,
    count(*)::integer as in_all,
    count_if(is_shared)::integer as shared_in_all
from real_judged
group by kind
order by list_position(['related', 'unrelated', 'unrelated, both sinusoidal', 'one model'], kind)
