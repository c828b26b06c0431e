-- one row per model, `among` those listed or all: its width, depth and layers, and whether its dimensions can be
-- exchanged, as the lineage test assumes, by what was measured at ingest (warehouse/features/structure.py)
--   has_positions  dimensions have a smooth order (sinusoidal positions, for example): ranks are detrended
--   is_ordered     dimensions have an order that detrending does not remove: the test cannot tell
--   repeated_dims  how many dimensions have the values of another one in every norm (padding, cloned width)
-- example: from lineage_models(['solar', 'glm'])
create macro lineage_models(among := null::varchar[]) as table
    select
        model, width, depth, layers,
        coalesce(sketches.position_z, 0) as position_z,
        coalesce(sketches.position_z >= thresholds.position_z, false) as has_positions,
        coalesce(sketches.period_z >= thresholds.period_z or sketches.echo_z >= thresholds.echo_z, false) as is_ordered,
        coalesce(repeated_dims, 0) as repeated_dims
    from files.sketches as sketches, lineage_thresholds() as thresholds
    where among is null or list_contains(among, model)
