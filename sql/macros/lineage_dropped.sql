-- one row per two models of which norm weights of one layer and type cannot enter the lineage test, in either or both:
-- how many, and why not
-- example: select count(*) from lineage_dropped(['solar', 'glm'])
create macro lineage_dropped(
    among := null::varchar[], around := null::varchar, groups := null::varchar[][]
) as table
    with

    asked as materialized (
        from lineage_groups(among := among, groups := groups)
    ),

    -- unnest(list(…)) tells DuckDB that the models are few
    models_asked as materialized (
        select unnest(list(distinct model)) as model from asked
    ),

    norms as materialized (
        select
            group_number, model, layer, ln_type,
            dropped is not null as is_dropped, dropped || ' in ' || model as reason
        from lineage_norms
        join asked using (model)
        where kind = 'weights' and model in (select model from models_asked)
    )

    select
        a.model as model_a, b.model as model_b,
        count(*)::integer as norms_dropped,
        -- in alphabetical order of the models
        concat_ws(
            ', ',
            case when a.model < b.model then different_names(a.reason) else different_names(b.reason) end,
            case when a.model < b.model then different_names(b.reason) else different_names(a.reason) end
        ) as dropped
    from norms as a
    join norms as b using (group_number, layer, ln_type)
    where
        (a.is_dropped or b.is_dropped)
        and case when around is null then a.model < b.model else a.model = around and b.model <> around end
    group by a.model, b.model
