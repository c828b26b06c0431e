-- one row per two models and part of their norms, weights or biases: do they agree more than chance allows?
-- Vectors are compared by rank. Under one joint permutation of the dimensions of all vectors of one model the sum of
-- the correlations has mean 0 and variance overlap / (d−1): z_eff divides by its root, and k_eff vectors' worth of
-- evidence is left; z_naive counts every vector in full, as if those of one model did not resemble each other
--   agreement  Σ r, the correlations of vectors that belong together
--   overlap    Σ R_a·R_b over all pairs of vectors, where R has the correlations of a model's own vectors (stored where
--              both have the same norms): as many as there are vectors if none are alike, their square if all are
-- example: from lineage_parts(['solar', 'glm'])
create macro lineage_parts(among := null::varchar[], around := null::varchar) as table
    with

    vectors_asked as materialized (
        from lineage_vectors(among := among, around := around)
    ),

    pairs_asked as materialized (
        from lineage_candidates(among := among, around := around)
        where width_a = width_b
    ),

    -- pairs first, then their vectors: else the norms of all models would be joined with those of all, lists and all
    firsts as materialized (
        select pairs_asked.*, a.part, a.d, a.norm, a.norms
        from pairs_asked
        join vectors_asked as a
            on a.model = model_a and a.over_layers = pairs_asked.over_layers and a.smoothless = smoothless_a
    ),

    matched as materialized (
        select a.*, b.norms as norms_b
        from firsts as a
        join vectors_asked as b
            on b.model = model_b and b.norm = a.norm and b.over_layers = a.over_layers and b.smoothless = smoothless_b
    ),

    agreements as materialized (
        select
            model_a, model_b, m.part, m.d,
            count(*) as vectors, least(sum(m.norms), sum(norms_b)) as norms_used,
            total(inner_product(a.vector, b.vector) / nullif(a.length * b.length, 0)) as agreement
        from matched as m
        join vectors_asked as a
            on a.model = model_a and a.norm = m.norm and a.over_layers = m.over_layers and a.smoothless = smoothless_a
        join vectors_asked as b
            on b.model = model_b and b.norm = m.norm and b.over_layers = m.over_layers and b.smoothless = smoothless_b
        group by model_a, model_b, m.part, m.d
    ),

    stored_overlaps as materialized (
        from lineage_overlaps(among := among, around := around)
    ),

    pairs_left as materialized (
        from agreements
        join pairs_asked using (model_a, model_b)
        anti join stored_overlaps using (model_a, model_b, part)
    ),

    vectors_left as materialized (
        from vectors_asked
        where (model, part, over_layers, smoothless) in (
            select model_a, part, over_layers, smoothless_a from pairs_left
            union all
            select model_b, part, over_layers, smoothless_b from pairs_left
        )
    ),

    own as materialized (
        select
            a.model, a.part, a.over_layers, a.smoothless, key_of(a.norm, b.norm) as two_norms,
            case when a.norm = b.norm then 1 else 2 end as times,
            inner_product(a.vector, b.vector) / nullif(a.length * b.length, 0) as correlation
        from vectors_left as a
        join vectors_left as b using (model, part, over_layers, smoothless, d)
        where a.norm <= b.norm
    ),

    overlapping as (
        select model_a, model_b, p.part, total(a.times * a.correlation * b.correlation) as overlap
        from pairs_left as p
        join own as a
            on a.model = model_a and a.over_layers = p.over_layers and a.smoothless = smoothless_a and a.part = p.part
        join own as b
            on
                b.model = model_b and b.over_layers = a.over_layers and b.smoothless = smoothless_b and b.part = a.part
                and b.two_norms = a.two_norms
        group by model_a, model_b, p.part
        union all
        from stored_overlaps
    )

    select
        model_a, model_b, part, d, vectors, norms_used,
        agreement / nullif(vectors, 0) as spearman_mean,
        vectors ** 2 / nullif(overlap, 0) as k_eff,
        agreement / nullif(sqrt(vectors / nullif(d - 1, 0)), 0) as z_naive,
        agreement / nullif(sqrt(overlap / nullif(d - 1, 0)), 0) as z_eff,
        vectors / nullif(sqrt(overlap / nullif(d - 1, 0)), 0) as z_most
    from agreements
    join overlapping using (model_a, model_b, part)
