-- one row per two models, `among` those listed or all, or `around` one: by which vectors their norms are to be compared
--   over_layers  models of other layers are compared by the sum over their layers, per type of norm, of the ranked
--                norms at length 1: no layer needs a counterpart, and the null is as exact
--   smoothless   where the dimensions of either model have a place, the smooth part is taken out of the one that has
--                more of it; taken out of both, what is left would be too alike
-- example: from lineage_candidates(['solar', 'glm'])
create macro lineage_candidates(among := null::varchar[], around := null::varchar) as table
    with

    -- once: every mention of a macro is bound by itself, and this one is a long query
    described as materialized (
        from lineage_models(among := among)
    )

    select
        a.model as model_a, b.model as model_b,
        a.width as width_a, b.width as width_b,
        a.depth as depth_a, b.depth as depth_b,
        a.layers <> b.layers as over_layers,
        (a.has_place or b.has_place) and (a.place_z, a.model) > (b.place_z, b.model) as smoothless_a,
        (a.has_place or b.has_place) and (a.place_z, a.model) < (b.place_z, b.model) as smoothless_b,
        concat_ws(
            ' and ',
            case when a.has_place then least(a.model, case when b.has_place then b.model else a.model end) end,
            case when b.has_place then greatest(b.model, case when a.has_place then a.model else b.model end) end
        ) as placed
    from described as a
    join described as b
        on case when around is null then a.model < b.model else a.model = around and b.model <> around end
