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
        select model, layer, ln_type, dropped is not null as is_dropped, dropped || ' in ' || model as reason
        from lineage_norms
        where part = 'weights' and model in (select model from asked)
    ),

    counted as (
        select
            a.model as model_a, b.model as model_b,
            count(*)::integer as norms_dropped,
            different_names(a.reason) as dropped_a,
            different_names(b.reason) as dropped_b
        from norms as a
        join norms as b using (layer, ln_type)
        where
            (a.is_dropped or b.is_dropped)
            and case when around is null then a.model < b.model else a.model = around and b.model <> around end
        group by a.model, b.model
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
        model_a, model_b,
        coalesce(norms_dropped, 0) as norms_dropped,
        dropped_a, dropped_b,
        offset_share_mean + pattern_share_mean as cosine_mean,
        pearson_mean, offset_share_mean, pattern_share_mean
    from counted
    full join measured using (model_a, model_b)
