-- one row per model, `among` those listed or all: what `lineage_places` says of it, as stored by an ingest if it was
-- and whether its dimensions are taken to have a place
-- example: from lineage_models(['solar', 'glm'])
create macro lineage_models(among := null) as table
    with

    described as (
        select model, width, depth, layers, place_z
        from files.places
        where among is null or list_contains(among, model)
        union all
        select model, width, depth, layers, place_z
        from files.measured_places(models := among)
    )

    select
        model, width, depth, layers,
        coalesce(described.place_z, 0) as place_z,
        coalesce(described.place_z >= thresholds.place_z, false) as has_place
    from described, lineage_thresholds() as thresholds
