-- one row per two models that have norm weights of one width, layer and type in common: how alike those are, on
-- average over those that vary in both, and how many do not
-- example: from lineage_matches(['solar', 'glm'])
create macro lineage_matches(among := null, around := null) as table
    with

    norms as materialized (
        select model, layer, ln_type, d, dropped, dropped || ' in ' || model as reason
        from lineage_norms
        where part = 'weights' and (among is null or list_contains(among, model))
    ),

    matched as (
        select
            a.model as model_a, b.model as model_b, layer, ln_type, a.d, a.reason as reason_a, b.reason as reason_b,
            a.dropped is null and b.dropped is null as is_used
        from norms as a
        join norms as b using (layer, ln_type)
        where case when around is null then a.model < b.model else a.model = around and b.model <> around end
    )

    select
        model_a, model_b,
        count_if(not is_used)::integer as norms_dropped,
        string_agg(distinct reason_a, ', ' order by reason_a) as dropped_a,
        string_agg(distinct reason_b, ', ' order by reason_b) as dropped_b,
        avg(cosine) filter (is_used) as cosine_mean,
        avg(pearson) filter (is_used) as pearson_mean,
        avg(offset_share) filter (is_used) as offset_share_mean,
        avg(pattern_share) filter (is_used) as pattern_share_mean
    from matched
    left join (
        from matched_layers
        where
            (among is null or (list_contains(among, model_a) and list_contains(among, model_b)))
            and (around is null or model_a = around)
    ) using (model_a, model_b, layer, ln_type, d)
    group by model_a, model_b
