-- one row per two models of which norm weights of one layer and type cannot enter the lineage test, in either or both:
-- how many, and why not
-- example: select count(*) from lineage_dropped(['solar', 'glm'])
create macro lineage_dropped(
    among := null::varchar[], around := null::varchar, groups := null::varchar[][]
) as table
    with

    pairs_to_test as materialized (
        from lineage_pairs_to_test(among := among, around := around, groups := groups)
    ),

    -- unnest(list(…)) tells DuckDB that the models are few
    models_asked as materialized (
        select unnest(list(distinct model_a) || list(distinct model_b)) as model from pairs_to_test
    ),

    norms as materialized (
        select model, layer, ln_type, dropped is not null as is_dropped, dropped || ' in ' || model as reason
        from lineage_norms
        where kind = 'weights' and model in (select model from models_asked)
    ),

    -- of most pairs no norm is dropped
    models_that_drop as materialized (
        select distinct model from norms where is_dropped
    ),

    pairs_that_drop as (
        select model_a, model_b from pairs_to_test where model_a in (select model from models_that_drop)
        union
        select model_a, model_b from pairs_to_test where model_b in (select model from models_that_drop)
    )

    select
        model_a, model_b,
        count(*)::integer as norms_dropped,
        -- in alphabetical order of the models
        concat_ws(
            ', ',
            case when model_a < model_b then different_names(a.reason) else different_names(b.reason) end,
            case when model_a < model_b then different_names(b.reason) else different_names(a.reason) end
        ) as dropped
    from pairs_that_drop
    join norms as a on a.model = model_a
    join norms as b on (b.model, b.layer, b.ln_type) = (model_b, a.layer, a.ln_type)
    where a.is_dropped or b.is_dropped
    group by model_a, model_b
