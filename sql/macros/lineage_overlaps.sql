-- one row per two models and part of their norms of which packing stored what `lineage_parts` calls the overlap: models
-- with the same norms, compared layer by layer. R is symmetric, with ones on its diagonal
-- example: from lineage_overlaps(['solar', 'glm'])
create macro lineage_overlaps(among := null::varchar[], around := null::varchar) as table
    with

    pairs_asked as materialized (
        from lineage_candidates(among := among, around := around)
        where width_a = width_b and not over_layers
    ),

    -- gathered and taken apart again, so that DuckDB does not take them for many and read those of all
    models_asked as materialized (
        select each_of(model_a, model_b) as model
        from pairs_asked
    ),

    stored as not materialized (
        select
            model, norms, correlations,
            regexp_replace(part, ' rough$', '', 'g') as part,
            ends_with(part, ' rough') as is_rough
        from files.correlations
        where model in (select model from models_asked)
    ),

    -- multiplied before the pairs are joined: or half a million of them would each hold a list
    multiplied as materialized (
        select
            a.model as model_a, b.model as model_b, a.part, a.is_rough as smoothless_a, b.is_rough as smoothless_b,
            2 * inner_product(a.correlations, b.correlations) - array_length(a.norms) as overlap
        from stored as b
        join stored as a on a.part = b.part and a.norms = b.norms
        where
            case when around is null then a.model < b.model else a.model = around and b.model <> around end
            and not (a.is_rough and b.is_rough)
    )

    select model_a, model_b, part, overlap
    from multiplied
    join pairs_asked using (model_a, model_b, smoothless_a, smoothless_b)
