-- one row: do two models share weight history, as far as their norms tell? The test has no direction (parent,
-- child and sibling look alike), and reordering, rescaling or folding the norms defeats it; `just lineage` adds
-- what slices say where both models have them, a permutation p-value, and which layers belong together where
-- depths differ
-- example: from lineage('solar', 'glm')
create macro lineage(one, other) as table
    select
        * replace (
            one as model_a,
            other as model_b,
            case when one = model_a then depth_a else depth_b end as depth_a,
            case when one = model_a then depth_b else depth_a end as depth_b
        )
    from lineage_pairs(among := [one, other])
    -- no row, but the error of a model that is not there, which a filter on no rows would not raise
    union all by name
    select one as model_a
    where not known_models([one, other])
