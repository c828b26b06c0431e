-- one row per two models, `among` those listed or all, or `around` one: do their norms agree more than chance allows
-- (`lineage_verdicts`), and how alike are the weights (`lineage_weight_similarity`)?
-- example: from lineage_pairs(['solar', 'glm', 'phi'])
create macro lineage_pairs(among := null::varchar[], around := null::varchar) as table
    select
        model_a, model_b, d, depth_a, depth_b, norms_used, norms_dropped, dropped, cosine_mean, pearson_mean,
        spearman_mean, offset_share_mean, pattern_share_mean, k_eff, z_naive, z_eff, z_most, p, z_weights, z_biases,
        needed_z, statistic_used, obstacle, verdict
    from lineage_verdicts(among := among, around := around)
    left join lineage_weight_similarity(among := among, around := around) using (model_a, model_b)
