-- one row per two models with the same norms that are compared layer by layer, and kind of their norms: the overlap of
-- `lineage_self_correlation`, from the correlations R that are stored; R is symmetric, with ones on its diagonal
-- example: from lineage_stored_self_correlation(['solar', 'glm'])
create macro lineage_stored_self_correlation(
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

    stored as materialized (
        select
            model, norms, correlations,
            regexp_replace(kind, ' detrended$', '', 'g') as kind,
            ends_with(kind, ' detrended') as is_detrended
        from files.correlations
        where model in (select model from models_to_test)
    ),

    -- all pairs, multiplied before the pairs are joined, or half a million of them would each hold a list
    multiplied as materialized (
        select
            a.model as model_a, b.model as model_b, a.kind,
            false as over_layers, a.is_detrended as is_detrended_a, b.is_detrended as is_detrended_b,
            2 * inner_product(a.correlations, b.correlations) - array_length(a.norms) as overlap
        from stored as b
        join stored as a on a.kind = b.kind and a.norms = b.norms
        where
            groups is null
            and case when around is null then a.model < b.model else a.model = around and b.model <> around end
            and not (a.is_detrended and b.is_detrended)
    )

    select model_a, model_b, kind, overlap
    from multiplied
    join pairs_to_test using (model_a, model_b, over_layers, is_detrended_a, is_detrended_b)
    union all
    -- single pairs: column by column, DuckDB would join all models that have the same norms first
    select
        model_a, model_b, a.kind,
        2 * inner_product(a.correlations, b.correlations) - array_length(a.norms) as overlap
    from pairs_to_test
    join stored as a on a.model = model_a and a.is_detrended = is_detrended_a
    join stored as b on (b.model, b.is_detrended, b.kind, b.norms) = (model_b, is_detrended_b, a.kind, a.norms)
    where groups is not null and not over_layers
