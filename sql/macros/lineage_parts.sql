-- one row per two models and part of their norms, weights or biases: do they agree more than chance allows?
-- Vectors are compared by rank. Under one joint permutation of the dimensions of all vectors of one model the sum of
-- the correlations has mean 0 and variance overlap / (d−1): z_eff divides by its root, and k_eff vectors' worth of
-- evidence is left; z_naive counts every vector in full, as if those of one model did not resemble each other
--   agreement  Σ r, the correlations of vectors that belong together (`lineage_agreements`)
--   overlap    Σ R_a·R_b over all pairs of vectors, where R has the correlations of a model's own vectors (stored where
--              both have the same norms): as many as there are vectors if none are alike, their square if all are
-- example: from lineage_parts(['solar', 'glm'])
create macro lineage_parts(among := null::varchar[], around := null::varchar) as table
    with

    pairs_asked as materialized (
        from lineage_candidates(among := among, around := around)
        where width_a = width_b
    ),

    agreements as materialized (from lineage_agreements(among := among, around := around)),

    stored_overlaps as materialized (from lineage_overlaps(among := among, around := around)),

    pairs_left as materialized (
        select
            model_a, model_b, part,
            case when not (over_layers or smoothless_a) then model_a end as ranked_a,
            case when not (over_layers or smoothless_b) then model_b end as ranked_b,
            owner_of(model_a, part, over_layers, smoothless_a) as owner_a,
            owner_of(model_b, part, over_layers, smoothless_b) as owner_b
        from agreements
        join pairs_asked using (model_a, model_b, over_layers, smoothless_a, smoothless_b)
        anti join stored_overlaps using (model_a, model_b, part)
    ),

    -- never empty, which would mean all models
    names_left as (
        select each_of(model_a, model_b) as model from pairs_left
        union all
        select '' as model
    ),

    listed as materialized (
        select gathered(model) as models from names_left
    ),

    vectors_left as materialized (
        select * from lineage_ranked where model in (select each_of(ranked_a, ranked_b) from pairs_left)
        union all
        select * from lineage_changed(among := (select models from listed), around := around)
    ),

    own as materialized (
        select
            owner, key_of(a.norm, b.norm) as two_norms, case when a.norm = b.norm then 1 else 2 end as times,
            correlation_of(a.vector, b.vector, a.length, b.length) as correlation
        from vectors_left as a
        join vectors_left as b using (owner, d)
        where a.norm <= b.norm
    ),

    overlapping as (
        select
            model_a, model_b, part,
            -- the same to the last bit in whatever order threads add up, but for one time in a million
            round(sum(a.times * a.correlation * b.correlation) * 2 ** 30) / 2 ** 30 as overlap
        from pairs_left
        join own as a on a.owner = owner_a
        -- one key of both: else all models' would be joined by norms first, pairs or not
        join own as b on key_of(b.owner, b.two_norms) = key_of(owner_b, a.two_norms)
        group by model_a, model_b, part
        union all
        from stored_overlaps
    )

    select
        model_a, model_b, part, d, vectors, norms_used, agreement / nullif(vectors, 0) as spearman_mean,
        vectors ** 2 / nullif(overlap, 0) as k_eff,
        agreement / nullif(sqrt(vectors / nullif(d - 1, 0)), 0) as z_naive,
        agreement / nullif(sqrt(overlap / nullif(d - 1, 0)), 0) as z_eff,
        vectors / nullif(sqrt(overlap / nullif(d - 1, 0)), 0) as z_most
    from agreements
    join pairs_asked using (model_a, model_b, over_layers, smoothless_a, smoothless_b)
    join overlapping using (model_a, model_b, part)
