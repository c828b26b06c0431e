-- one row per two models, `among` those listed or all, or `around` one: how the lineage test compares them
--   over_layers   models of different layers are compared by the sum over their layers, per type of norm, of the ranked
--                 norms at length 1: no layer needs a counterpart, and the null distribution is as exact
--   is_detrended  if the dimensions of either model have a fixed order, the ranks of the model with the larger
--                 position_z are detrended; detrending both would make unrelated models alike
--   positioned    which of the two have such dimensions, in words
--   ordered       which of the two have dimensions in an order that detrending does not remove, in words
-- example: from lineage_pairs_to_test(['solar', 'glm'])
create macro lineage_pairs_to_test(among := null::varchar[], around := null::varchar) as table
    with

    described as materialized (
        from lineage_models(among := among)
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
            case when a.has_positions then least(a.model, case when b.has_positions then b.model else a.model end) end,
            case
                when b.has_positions then greatest(b.model, case when a.has_positions then a.model else b.model end)
            end
        ) as positioned,
        concat_ws(
            ' and ',
            case when a.is_ordered then least(a.model, case when b.is_ordered then b.model else a.model end) end,
            case when b.is_ordered then greatest(b.model, case when a.is_ordered then a.model else b.model end) end
        ) as ordered
    from described as a
    join described as b
        on case when around is null then a.model < b.model else a.model = around and b.model <> around end
