-- one row per two models of a zoo whose relation is known, from the table `truth`
-- independent: two bases; related: a model and one it was made from; unrelated: a model and a base that it was
-- not made from, the control for what a transformation does by itself
with

bases as (
    select child as model, case kind when 'independent' then 'plain' else kind end as sort
    from truth
    where parent is null
),

made as (
    from truth
    where parent is not null
),

independent as (
    select
        a.model as one, b.model as other, 'independent' as relation,
        case when a.sort = b.sort then a.sort else 'mixed' end as grouping,
        null as transformation, null as kind
    from bases as a
    join bases as b on a.model < b.model
),

related as (
    select child, parent, 'related', 'derived', transformation, kind
    from made
),

unrelated as (
    select distinct made.child, bases.model, 'unrelated', 'made and base', made.transformation, made.kind
    from made
    cross join bases
    anti join made as known on known.child = made.child and known.parent = bases.model
),

all_known as (
    from independent
    union all
    from related
    union all
    from unrelated
)

select
    p.model_a, p.model_b, k.relation, k.grouping, k.transformation, k.kind, p.norms_used,
    p.cosine_mean as cosine,
    p.pearson_mean as pearson,
    p.k_eff, p.z_naive, p.z_eff, p.z_weights, p.z_biases, p.statistic_used, p.verdict
from all_known as k
join lineage_matrix as p on p.model_a = least(k.one, k.other) and p.model_b = greatest(k.one, k.other)
order by k.relation, k.transformation, p.model_a, p.model_b
