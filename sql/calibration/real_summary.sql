-- one row per kind of pairs of real models, from the table `real_pairs`: what the test says, and how z is distributed
-- pairs that repeat others are left out of all but shared_in_all, which must be 0 where nothing is related
--
-- models: how many models these pairs share
-- families: how many groups the pairs form; packages that related pairs connect are one family
with recursive

packages (one, other) as (
    select package_a, package_b from real_pairs where relation = 'related'
    union
    select package_b, package_a from real_pairs where relation = 'related'
),

connected (one, other) as (
    select package_a as one, package_a as other from real_pairs
    union
    select connected.one, packages.other
    from connected
    join packages on packages.one = connected.other
),

families as (
    select one as package, min(other) as family from connected group by one
),

judged as (
    select
        real_pairs.*,
        family,
        verdict = 'share weight history' as is_shared,
        starts_with(verdict, 'cannot tell') as is_open
    from real_pairs
    left join families on package = package_a
)

select
    kind,
    len(list_distinct(list_concat(
        list(model_a) filter (not repeated), list(model_b) filter (not repeated)
    )))::integer as models,
    count(distinct family)::integer as families,
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
from judged
group by kind
order by list_position(['related', 'unrelated', 'unrelated, both sinusoidal', 'one model'], kind)
