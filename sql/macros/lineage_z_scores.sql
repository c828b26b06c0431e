-- one row per two models that can be compared and kind of their norms, weights or biases: do they agree more than
-- chance allows? Under one joint permutation of the dimensions of all vectors of one model the agreement has mean 0 and
-- variance overlap / (d−1): z_eff divides by its root, and k_eff vectors' worth of evidence is left. z_naive counts
-- every vector in full, as if those of one model did not resemble each other; z_most is the z_eff of a perfect copy
-- example: from lineage_z_scores(['solar', 'glm'])
create macro lineage_z_scores(among := null::varchar[], around := null::varchar) as table
    with

    agreements as materialized (
        from lineage_rank_agreement(among := among, around := around)
    ),

    self_correlations as materialized (
        from lineage_self_correlation(among := among, around := around)
    )

    select
        model_a, model_b, kind, d, vectors, norms_used, agreement / nullif(vectors, 0) as spearman_mean,
        vectors ** 2 / nullif(overlap, 0) as k_eff,
        agreement / nullif(sqrt(vectors / nullif(d - 1, 0)), 0) as z_naive,
        agreement / nullif(sqrt(overlap / nullif(d - 1, 0)), 0) as z_eff,
        vectors / nullif(sqrt(overlap / nullif(d - 1, 0)), 0) as z_most
    from agreements
    join self_correlations using (model_a, model_b, kind)
