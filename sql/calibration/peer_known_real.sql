-- one row per two real models of known relation that do not repeat another pair: what `peer_calls` needs of them
select
    t.model_a, t.model_b, t.relation, null as transformation,
    case when t.relation = 'related' then 'child' end as kind,
    m.cosine_mean as cosine,
    m.pearson_mean as pearson,
    m.verdict
from packaged_truth as t
join lineage_matrix as m using (model_a, model_b)
where not t.repeated and t.relation in ('related', 'unrelated') and m.cosine_mean is not null
