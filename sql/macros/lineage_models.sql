-- one row per model, `among` those listed or all: width, depth, layers, and whether its dimensions are taken to have a
-- place, as packing found (sql/packing/places.sql)
-- example: from lineage_models(['solar', 'glm'])
create macro lineage_models(among := null::varchar[]) as table
    select
        model, width, depth, layers,
        coalesce(sketches.place_z, 0) as place_z,
        coalesce(sketches.place_z >= thresholds.place_z, false) as has_place
    from files.sketches, lineage_thresholds() as thresholds
    where among is null or list_contains(among, model)
