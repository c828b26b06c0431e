-- one row per vector that the lineage test compares: a ranked norm, or what stands for it (`lineage_changed`); of the
-- models `among` those listed or all, or `around` one, what their pairs need
--   norm   which vectors of two models belong together
--   norms  how many norms it is made of
-- example: select model, ln_type, layer, norms from lineage_vectors(['solar', 'glm'])
create macro lineage_vectors(among := null::varchar[], around := null::varchar) as table
    with

    pairs_asked as materialized (
        from lineage_candidates(among := among, around := around)
        where width_a = width_b and not over_layers
    )

    select model, part, layer, ln_type, d, norm, over_layers, smoothless, norms, vector, length
    from lineage_ranked
    where
        model in (
            select model_a from pairs_asked where not smoothless_a
            union all
            select model_b from pairs_asked where not smoothless_b
        )
    union all
    select model, part, layer, ln_type, d, norm, over_layers, smoothless, norms, vector, length
    from lineage_changed(among := among, around := around)
