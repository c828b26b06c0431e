-- one row per two models of a zoo whose relation is known, from the table `truth`
-- independent: two bases; related: a model and one it was made from; unrelated: a model and a base that it was
-- not made from, the control for what a transformation does by itself
with

bases as (
    select child as model, case kind when 'outliers' then 'outliers' else 'plain' end as sort
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

select p.*, k.relation, k.grouping, k.transformation, k.kind
from all_known as k
join lineage_matrix as p on p.model_a = least(k.one, k.other) and p.model_b = greatest(k.one, k.other)
order by k.relation, k.transformation, p.model_a, p.model_b
