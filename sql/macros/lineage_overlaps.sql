-- one row per two models and part of their norms of which packing stored what `lineage_parts` calls the overlap: models
-- with the same norms, compared layer by layer. R is symmetric, with ones on its diagonal
-- example: from lineage_overlaps(['solar', 'glm'])
create macro lineage_overlaps(among := null::varchar[], around := null::varchar) as table
    select
        model_a, model_b, a.part,
        2 * inner_product(a.correlations, b.correlations) - array_length(a.norms) as overlap
    from lineage_candidates(among := among, around := around)
    join files.correlations as a on a.model = model_a
    join files.correlations as b on b.model = model_b and b.part = a.part and b.norms = a.norms
    where width_a = width_b and not (over_layers or smoothless_a or smoothless_b)
