-- one row per model, `among` those listed or all: its width, depth and layers, and whether its dimensions have a fixed
-- order (sinusoidal positions, for example), by the z-score that packing computed (sql/features/places.sql)
-- example: from lineage_models(['solar', 'glm'])
create macro lineage_models(among := null::varchar[]) as table
    select
        model, width, depth, layers,
        coalesce(sketches.position_z, 0) as position_z,
        coalesce(sketches.position_z >= thresholds.position_z, false) as has_positions
    from files.sketches as sketches, lineage_thresholds() as thresholds
    where among is null or list_contains(among, model)
