-- one row per two models, `among` those listed or all, or `around` one: how the lineage test compares them
-- The test assumes that the dimensions of a model can be exchanged, which is measured for each model at ingest
-- (warehouse/features/structure.py): has_positions, its norms look autocorrelated across them (sinusoidal positions,
-- for example); is_ordered, they have an order that detrending does not remove; repeated_dims, so many have the values
-- of another one in every norm (padding, cloned width)
--   over_layers   models of different layers are compared by the sum over their layers, per type of norm, of the ranked
--                 norms at length 1: no layer needs a counterpart, and the null distribution is as exact
--   is_detrended  if the dimensions of either model look autocorrelated, the ranks of the model with the larger
--                 position_z are detrended; detrending both would make unrelated models alike
--   positioned    which of the two have such dimensions, in words, with their position_z
--   ordered       which of the two have dimensions in an order that detrending does not remove, in words
-- example: from lineage_pairs_to_test(['solar', 'glm'])
create macro lineage_pairs_to_test(
    among := null::varchar[], around := null::varchar, groups := null::varchar[][]
) as table
    with

    described as materialized (
        select
            model, group_number, width, depth, layers,
            coalesce(sketches.position_z, 0) as position_z,
            coalesce(sketches.position_z >= thresholds.position_z, false) as has_positions,
            case
                when sketches.position_z >= thresholds.position_z
                    then model || ' (z ' || round(sketches.position_z, 1) || ')'
            end as positioned,
            coalesce(sketches.period_z >= thresholds.period_z or sketches.echo_z >= thresholds.echo_z, false)
                as is_ordered,
            coalesce(repeated_dims, 0) as repeated_dims
        from files.sketches as sketches
        join lineage_groups(among := among, groups := groups) using (model)
        cross join lineage_thresholds() as thresholds
    )

    select
        a.model as model_a, b.model as model_b,
        a.width as width_a, b.width as width_b,
        a.depth as depth_a, b.depth as depth_b,
        a.repeated_dims as repeated_a, b.repeated_dims as repeated_b,
        a.layers <> b.layers as over_layers,
        (a.has_positions or b.has_positions) and (a.position_z, a.model) > (b.position_z, b.model) as is_detrended_a,
        (a.has_positions or b.has_positions) and (a.position_z, a.model) < (b.position_z, b.model) as is_detrended_b,
        concat_ws(
            ' and ',
            least(a.positioned, b.positioned),
            case when a.has_positions and b.has_positions then greatest(a.positioned, b.positioned) end
        ) as positioned,
        concat_ws(
            ' and ',
            case when a.is_ordered then least(a.model, case when b.is_ordered then b.model else a.model end) end,
            case when b.is_ordered then greatest(b.model, case when a.is_ordered then a.model else b.model end) end
        ) as ordered
    from described as a
    join described as b
        on
            a.group_number = b.group_number
            and case when around is null then a.model < b.model else a.model = around and b.model <> around end
