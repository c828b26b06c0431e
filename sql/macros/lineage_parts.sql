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

    pairs_asked as materialized (
        from lineage_candidates(among := among, around := around)
        where width_a = width_b
    ),

    -- gathered and taken apart again, so that DuckDB does not take them for many and hold the norms instead
    models_asked as materialized (
        select each_of(model_a, model_b) as model
        from pairs_asked
    ),

    changed as materialized (from lineage_changed(among := among, around := around)),

    -- read anew at each mention: a thousand models are 0.3 GB of ranks, to be kept nowhere
    ranked as not materialized (
        select * from lineage_ranked where model in (select model from models_asked)
    ),

    -- ranks have mean 0: so they become doubles once, and not in every pair; the others stay as they were read
    firsts as not materialized (
        select
            model, part, d, norm, over_layers, smoothless, norms, pattern_of(vector, 0) as vector, length
        from ranked
        union all
        select model, part, d, norm, over_layers, smoothless, norms, vector, length
        from changed
    ),

    correlated as (
        select
            a.model as model_a, b.model as model_b, a.part, a.d, a.over_layers, a.smoothless as smoothless_a,
            b.smoothless as smoothless_b, a.norms as norms_a, b.norms as norms_b,
            correlation_of(a.vector, b.vector, a.length, b.length) as correlation
        from ranked as b
        join firsts as a on a.norm = b.norm and a.d = b.d and a.over_layers = b.over_layers
        union all
        select
            a.model as model_a, b.model as model_b, a.part, a.d, a.over_layers, a.smoothless as smoothless_a,
            b.smoothless as smoothless_b, a.norms as norms_a, b.norms as norms_b,
            correlation_of(a.vector, b.vector, a.length, b.length) as correlation
        from changed as b
        join firsts as a on a.norm = b.norm and a.d = b.d and a.over_layers = b.over_layers
        where not (a.smoothless and b.smoothless)
    ),

    -- correlations are rounded to 2^-44, which their sum can hold: it is the same to the last bit in whatever order
    -- threads add them up; so is that of the products below but for one time in a million
    agreements as materialized (
        select
            model_a, model_b, part, d, over_layers, smoothless_a, smoothless_b,
            count(*) as vectors, least(sum(norms_a), sum(norms_b)) as norms_used,
            sum(round(correlation * 2 ** 44) / 2 ** 44) as agreement
        from correlated
        where case when around is null then model_a < model_b else model_a = around and model_b <> around end
        group by model_a, model_b, part, d, over_layers, smoothless_a, smoothless_b
    ),

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

    vectors_left as materialized (
        select * from lineage_ranked where model in (select each_of(ranked_a, ranked_b) from pairs_left)
        union all
        select * from changed
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
