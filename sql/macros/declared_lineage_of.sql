-- one row per model, of those listed or all, and base model that it declares: do the weights fit the declaration? By
-- norms alone, and without direction: a child, a parent and a sibling of the declared base look alike
--   base_model  model of the lake that is meant; NULL if the lake does not have it
--   agreement   consistent, not shown, nothing to check (an adapter has no norms of its own, unless it was merged into
--               its base), base not in lake, or cannot tell
-- example: from declared_lineage_of(['intellect'])
create macro declared_lineage_of(models := null::varchar[]) as table
    with

    declared as materialized (
        from declared_pairs
        where models is null or list_contains(models, model)
    ),

    to_test as materialized (
        select distinct least(compared, base_model) as model_a, greatest(compared, base_model) as model_b
        from declared
        where compared <> base_model
    ),

    -- an empty list, not NULL, which would mean all models
    tested as materialized (
        select model_a, model_b, z_eff, needed_z, verdict
        from lineage_verdicts(groups := (select coalesce(list([model_a, model_b]), []) from to_test))
    ),

    judged as (
        select
            declared.*, z_eff, needed_z,
            case
                when is_itself then 'cannot tell: it is the model itself'
                when compared = base_model then copies.verdict
                else tested.verdict
            end as verdict
        from declared
        left join tested
            on model_a = least(compared, base_model) and model_b = greatest(compared, base_model)
        left join _copy_verdicts as copies on copies.model = declared.compared
    )

    select
        model, repo, base, relation, read_from, is_stored, base_repo, compared, base_model, z_eff, needed_z, verdict,
        case
            when verdict = 'share weight history' then 'consistent'
            when lower(relation) = 'adapter' then 'nothing to check'
            when base_model is null and not is_itself then 'base not in lake'
            when starts_with(verdict, 'no sign') then 'not shown'
            else 'cannot tell'
        end as agreement
    from judged
