-- one row per two real models out of packages that have norms in common, or are related: what is known and what is said
select
    t.model_a, t.model_b, t.package_a, t.package_b, t.relation,
    case
        when t.relation = 'unrelated' and t.both_sinusoidal then 'unrelated, both sinusoidal' else t.relation
    end as kind,
    t.both_sinusoidal, t.repeated, p.norms_used,
    coalesce(round(a.position_z, 1), 0) as place_z_a,
    coalesce(round(b.position_z, 1), 0) as place_z_b,
    round(p.z_weights, 2) as z_weights,
    round(p.z_biases, 2) as z_biases,
    round(p.z_eff, 2) as z_eff,
    p.needed_z, p.statistic_used, p.verdict, t.why
from packaged_truth as t
join lineage_matrix as p using (model_a, model_b)
join sketches as a on a.model = t.model_a
join sketches as b on b.model = t.model_b
where p.z_eff is not null or t.relation = 'related'
order by t.relation, t.model_a, t.model_b
