-- one row per two models of a zoo whose slices are compared, from the table `known` of all whose relation is known
-- All bases with each other, all models with those they were made from, and each made model with some unrelated bases
with

bases as (
    select child as model from lineage_truth where parent is null
),

numbered as (
    select
        *,
        row_number() over (
            partition by relation, case when model_a in (from bases) then model_b else model_a end
            order by md5(model_a || ' ' || model_b)
        ) as place
    from known
)

select
    model_a, model_b, relation, grouping,
    regexp_replace(transformation, '_attacked$', '') as transformation,
    kind,
    coalesce(ends_with(transformation, '_attacked'), false) as attacked,
    z_eff as z_norms,
    verdict as by_norms
from numbered
where relation <> 'unrelated' or place <= 4
