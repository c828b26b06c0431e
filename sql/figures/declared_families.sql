-- one row per side, declared or measured, and ordered pair of models: what joins the two; of forty models at most
-- (_shown_models); no row for a lake in which no model declares a base
-- declared and measured families side by side
with

shown as materialized (
    select model from _shown_models
),

declared as materialized (
    select distinct compared as model, base_model, lower(base_repo) as base_repo
    from declared_pairs
    where not is_itself and compared in (select model from shown)
),

direct as (
    select model as model_a, base_model as model_b from declared where base_model <> model
    union
    select base_model as model_a, model as model_b from declared where base_model <> model
),

siblings as (
    select a.model as model_a, b.model as model_b, any_value(base_repo) as base_repo
    from declared as a
    join declared as b using (base_repo)
    where a.model <> b.model
    group by a.model, b.model
),

tested as materialized (
    select model_a, model_b, verdict
    from lineage_verdicts(among := (select list(model) from shown))
),

measured as (
    select model_a, model_b, verdict from tested
    union all
    select model_b as model_a, model_a as model_b, verdict from tested
),

compared_pairs as (
    select
        measured.model_a, measured.model_b, siblings.base_repo,
        case
            when direct.model_a is not null then 'declared base'
            when siblings.model_a is not null then 'same declared base'
            else 'nothing declared'
        end as declared_relation,
        case
            when verdict = 'share weight history' then verdict
            when starts_with(verdict, 'no sign') then 'no sign'
            else 'cannot tell'
        end as measured_relation
    from measured
    left join direct using (model_a, model_b)
    left join siblings using (model_a, model_b)
),

-- models of one family are neighbours
families as (
    select
        model_a as model,
        min(least(model_a, model_b)) filter (
            declared_relation <> 'nothing declared' or measured_relation = 'share weight history'
        ) as family
    from compared_pairs
    group by model_a
),

both_sides as (
    select 'declared' as side, model_a, model_b, declared_relation as relation, base_repo from compared_pairs
    union all
    select 'measured' as side, model_a, model_b, measured_relation as relation, base_repo from compared_pairs
)

select
    side, model_a, model_b, relation, base_repo,
    dense_rank() over (order by family is null, family, model_a) as place_a
from both_sides
join families on families.model = model_a
where exists (select 1 from declared)
order by side, place_a, model_b
