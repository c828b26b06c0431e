-- one row per two released models out of packages whose relation is known; pairs that repeat others are left out
-- what the lineage test said of models that others trained, by what is known of them
--
-- z_eff: NULL where it is undefined
-- threshold: z_eff from which the two share weight history; higher where weights and biases both had a chance
select
    kind, model_a, model_b, package_a, package_b, z_weights, z_biases, z_eff,
    needed_z as threshold,
    verdict, why
from real_models
where not repeated
order by
    list_position(['related', 'unrelated', 'unrelated, both sinusoidal', 'one model'], kind), z_eff desc nulls last,
    model_a, model_b
