-- one row per two models and part of their norms of which packing stored what `lineage_parts` calls the overlap: models
-- with the same norms, compared layer by layer. R is symmetric, with ones on its diagonal
-- example: from lineage_overlaps(['solar', 'glm'])
create macro lineage_overlaps(among := null::varchar[], around := null::varchar) as table
    with

    stored as (
        select
            model, norms, correlations,
            regexp_replace(part, ' rough$', '', 'g') as part,
            ends_with(part, ' rough') as is_rough
        from files.correlations
    )

    select
        model_a, model_b, a.part,
        2 * inner_product(a.correlations, b.correlations) - array_length(a.norms) as overlap
    from lineage_candidates(among := among, around := around)
    join stored as a on a.model = model_a and a.is_rough = smoothless_a
    join stored as b on b.model = model_b and b.is_rough = smoothless_b and b.part = a.part and b.norms = a.norms
    where width_a = width_b and not over_layers
