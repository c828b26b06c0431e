-- one row per two models that have norm weights in common which enter the lineage test: how alike those are, on average
-- over layers and types (`matched_norms`). It describes; the verdict does not depend on it
-- example: from lineage_weight_similarity(['solar', 'glm'])
create macro lineage_weight_similarity(among := null::varchar[], around := null::varchar) as table
    with

    averaged as (
        select
            model_a, model_b,
            avg(pearson) as pearson_mean,
            avg(offset_share) as offset_share_mean,
            avg(pattern_share) as pattern_share_mean
        from matched_norms(among := among, around := around)
        group by model_a, model_b
    )

    select
        model_a, model_b, offset_share_mean + pattern_share_mean as cosine_mean, pearson_mean, offset_share_mean,
        pattern_share_mean
    from averaged
