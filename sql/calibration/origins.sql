-- one row per model of the table `known`: the base that it was made from (of a merge, the first), or itself
-- Models of one base are alike, so that pairs of theirs are not independent
with

bases as (
    select distinct unnest([model_a, model_b]) as model from known where relation = 'independent'
)

select
    case when model_a in (from bases) then model_b else model_a end as model,
    min(case when model_a in (from bases) then model_a else model_b end) as origin
from known
where relation = 'related'
group by 1
union all
select model, model as origin from bases
