-- one row per two models, `among` those listed or all, or `around` one: do their norms agree more than chance
-- allows?
-- Norms are matched by layer number and compared by rank. Under one joint permutation of the dimensions of all
-- norms of one model the sum of the correlations has mean 0 and variance overlap / (d−1): z_eff divides by its
-- root, and k_eff norms' worth of evidence is left; z_naive counts every norm in full, as if a model's layers
-- did not resemble each other
-- example: from lineage_pairs(['solar', 'glm', 'phi'])
create macro lineage_pairs(among := null, around := null) as table
    with

    described as (
        select model, mode(d) as width, count(distinct layer) filter (layer >= 0) as depth
        from lineage_norms
        where among is null or list_contains(among, model)
        group by model
    ),

    candidates as (
        select
            a.model as model_a, b.model as model_b, a.width as width_a, b.width as width_b, a.depth as depth_a,
            b.depth as depth_b
        from described as a
        join described as b
            on case when around is null then a.model < b.model else a.model = around and b.model <> around end
    ),

    tested as (
        select
            *,
            agreement / norms_used as spearman_mean,
            norms_used ** 2 / overlap as k_eff,
            spearman_mean * sqrt(norms_used * (d - 1)) as z_naive,
            spearman_mean * sqrt(k_eff * (d - 1)) as z_eff,
            sqrt(k_eff * (d - 1)) as z_most,
            nullif(concat_ws(', ', dropped_a, dropped_b), '') as dropped
        from candidates
        left join lineage_matches(among := among, around := around) using (model_a, model_b)
        left join lineage_overlaps(among := among, around := around) using (model_a, model_b, d)
    ),

    explained as (
        select
            *,
            case
                when width_a <> width_b then format('widths differ ({} and {})', width_a, width_b)
                when norms_used = 0 then dropped || ' (folded into the next matrix, or never trained)'
                when coalesce(norms_used, 0) < least_norms or z_most < share_z
                    then format('too few norms ({})', coalesce(norms_used, 0))
            end as obstacle,
            case
                when depth_a <> depth_b
                    then format(
                        'depths differ ({} and {} layers) and layers of one number do not agree', depth_a, depth_b
                    )
            end as other_depth
        from tested, lineage_thresholds()
    )

    select
        model_a, model_b, d, depth_a, depth_b,
        coalesce(norms_used, 0) as norms_used,
        coalesce(norms_dropped, 0) as norms_dropped,
        dropped, cosine_mean, pearson_mean, spearman_mean, offset_share_mean, pattern_share_mean, k_eff, z_naive, z_eff,
        z_most, obstacle,
        lineage_verdict(z_eff, coalesce(obstacle, other_depth)) as verdict
    from explained
