-- one row per model, `among` those listed or all: what `lineage_places` says of it, as stored by an ingest if it was
-- example: from lineage_models(['solar', 'glm'])
create macro lineage_models(among := null) as table
    with

    stored as (
        from files.places
        where among is null or list_contains(among, model)
    )

    select model, width, depth, layers, place_z, has_place
    from stored
    union all
    select model, width, depth, layers, place_z, has_place
    from lineage_places(among := (
        select coalesce(list(model), [])
        from files.unplaced
        where among is null or list_contains(among, model)
    ))
    semi join files.unplaced as missing using (model)
