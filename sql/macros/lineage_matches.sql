-- one row per two models that have norm weights of one width, layer and type in common: how alike those are, on
-- average over those that vary in both (`matched_norms`), and how many do not
-- example: from lineage_matches(['solar', 'glm'])
create macro lineage_matches(among := null::varchar[], around := null::varchar) as table
    with

    -- gathered and taken apart again, so that DuckDB does not take them for many and read the norms of all
    asked as materialized (
        select each_of(model, model) as model
        from lineage_models(among := among)
    ),

    norms as materialized (
        select model, layer, ln_type, dropped, dropped || ' in ' || model as reason
        from lineage_norms
        where part = 'weights' and model in (select model from asked)
    ),

    matched as (
        select
            a.model as model_a, b.model as model_b, a.reason as reason_a, b.reason as reason_b,
            a.dropped is null and b.dropped is null as is_used
        from norms as a
        join norms as b using (layer, ln_type)
        where case when around is null then a.model < b.model else a.model = around and b.model <> around end
    ),

    counted as (
        select
            model_a, model_b,
            count_if(not is_used)::integer as norms_dropped,
            different_names(reason_a) as dropped_a,
            different_names(reason_b) as dropped_b
        from matched
        group by model_a, model_b
    ),

    measured as (
        select
            model_a, model_b,
            avg(pearson) as pearson_mean,
            avg(offset_share) as offset_share_mean,
            avg(pattern_share) as pattern_share_mean
        from matched_norms(among := among, around := around)
        group by model_a, model_b
    )

    select
        model_a, model_b, norms_dropped, dropped_a, dropped_b,
        offset_share_mean + pattern_share_mean as cosine_mean,
        pearson_mean, offset_share_mean, pattern_share_mean
    from counted
    left join measured using (model_a, model_b)
