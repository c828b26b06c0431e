-- one row per two models that can be compared and kind of their norms: how much a model's own vectors are alike
--   overlap  Σ R_a·R_b over all pairs of vectors that both models have, where R has the correlations of a model's own
--            vectors; it is the number of vectors if none are alike, its square if all are
-- Where two models have the same norms and are compared layer by layer, R is stored
-- (`lineage_stored_self_correlation`). Otherwise it is computed here
-- example: from lineage_self_correlation(['solar', 'glm'])
create macro lineage_self_correlation(
    among := null::varchar[], around := null::varchar, groups := null::varchar[][]
) as table
    with

    pairs_to_test as materialized (
        from lineage_pairs_to_test(among := among, around := around, groups := groups)
        where width_a = width_b
    ),

    -- unnest(list(…)) tells DuckDB that the models are few
    models_to_test as materialized (
        select unnest(list(distinct model_a) || list(distinct model_b)) as model from pairs_to_test
    ),

    of_same_norms as materialized (
        from lineage_stored_self_correlation(among := among, around := around, groups := groups)
    ),

    kinds as (
        select distinct model, regexp_replace(kind, ' detrended$', '', 'g') as kind
        from files.correlations
        where model in (select model from models_to_test)
    ),

    pairs_by_part as (
        select model_a, model_b, a.kind, over_layers, is_detrended_a, is_detrended_b
        from pairs_to_test
        join kinds as a on a.model = model_a
        join kinds as b on b.model = model_b and b.kind = a.kind
    ),

    pairs_left as materialized (
        select * from pairs_by_part
        anti join of_same_norms using (model_a, model_b, kind)
    ),

    models_left as (
        select model_a as model from pairs_left
        union
        select model_b as model from pairs_left
    ),

    vectors as materialized (
        select * from lineage_vectors(among := among, around := around, groups := groups)
        where model in (select model from models_left)
    ),

    own as materialized (
        select
            model, kind, over_layers, is_detrended,
            a.ln_type as ln_type_1, a.layer as layer_1, b.ln_type as ln_type_2, b.layer as layer_2,
            case when a.ln_type = b.ln_type and a.layer = b.layer then 1 else 2 end as times,
            correlation_of(a.vector, b.vector, a.length, b.length) as correlation
        from vectors as a
        join vectors as b using (model, kind, over_layers, is_detrended, d)
        where (a.ln_type, a.layer) <= (b.ln_type, b.layer)
    ),

    own_of_first as (
        select
            model_a, model_b as model, own.kind, own.over_layers, is_detrended_b as is_detrended,
            ln_type_1, layer_1, ln_type_2, layer_2, times, correlation
        from pairs_left
        join own
            on
                own.model = model_a and own.kind = pairs_left.kind
                and own.over_layers = pairs_left.over_layers and own.is_detrended = is_detrended_a
    ),

    -- joined by one row of columns: column by column, DuckDB would join the norms of all models first, pairs or not
    computed as (
        select
            model_a, a.model as model_b, a.kind,
            -- the same to the last bit in whatever order threads add up, but for one time in a million
            round(sum(a.times * a.correlation * b.correlation) * 2 ** 30) / 2 ** 30 as overlap
        from own_of_first as a
        join own as b
            on
                (b.model, b.kind, b.over_layers, b.is_detrended, b.ln_type_1, b.layer_1, b.ln_type_2, b.layer_2)
                = (a.model, a.kind, a.over_layers, a.is_detrended, a.ln_type_1, a.layer_1, a.ln_type_2, a.layer_2)
        group by model_a, a.model, a.kind
    )

    select model_a, model_b, kind, overlap from of_same_norms
    union all
    select model_a, model_b, kind, overlap from computed
