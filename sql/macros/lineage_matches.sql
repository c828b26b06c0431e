-- one row per two models that have norm weights of one width, layer and type in common: how alike those are, on
-- average over those that vary in both, and how many do not
-- example: from lineage_matches(['solar', 'glm'])
create macro lineage_matches(among := null, around := null) as table
    with

    -- gathered and taken apart again, so that DuckDB does not take them for many and read the norms of all
    asked as materialized (
        select unnest(list(model)) as model
        from lineage_models(among := among)
    ),

    norms as materialized (
        select model, layer, ln_type, d, dropped, dropped || ' in ' || model as reason
        from lineage_norms
        where part = 'weights' and model in (from asked)
    ),

    matched as materialized (
        select
            a.model as model_a, b.model as model_b, layer, ln_type, a.d, b.d as d_b, a.reason as reason_a,
            b.reason as reason_b,
            a.dropped is null and b.dropped is null as is_used
        from norms as a
        join norms as b using (layer, ln_type)
        where case when around is null then a.model < b.model else a.model = around and b.model <> around end
    ),

    vectors_a as (
        select model as model_a, layer, ln_type, d, mean, std, l2_norm, pattern_of(weights, mean) as pattern
        from files.vectors
        where model in (select model_a from matched where is_used) and n_nan + n_inf = 0
    ),

    vectors_b as (
        select model as model_b, layer, ln_type, d, mean, std, l2_norm, weights
        from files.vectors
        where model in (select model_b from matched where is_used) and n_nan + n_inf = 0
    ),

    -- Σ pattern is 0, so that the mean of the other vector adds nothing
    multiplied as (
        select
            model_a, model_b, layer, ln_type, d, inner_product(a.pattern, b.weights) as pattern_product,
            a.mean as mean_a, b.mean as mean_b, a.std as std_a, b.std as std_b, a.l2_norm as length_a,
            b.l2_norm as length_b
        from vectors_b as b
        join vectors_a as a using (layer, ln_type, d)
        semi join (from matched where is_used) using (model_a, model_b, layer, ln_type)
    ),

    measured as (
        select
            model_a, model_b,
            avg(pearson_of(pattern_product, d, std_a, std_b)) as pearson_mean,
            avg(offset_share_of(d, mean_a, mean_b, length_a, length_b)) as offset_share_mean,
            avg(pattern_share_of(pattern_product, length_a, length_b)) as pattern_share_mean
        from multiplied
        group by model_a, model_b
    ),

    counted as (
        select
            model_a, model_b,
            count_if(not is_used)::integer as norms_dropped,
            string_agg(distinct reason_a, ', ' order by reason_a) as dropped_a,
            string_agg(distinct reason_b, ', ' order by reason_b) as dropped_b
        from matched
        group by model_a, model_b
    )

    select
        model_a, model_b, norms_dropped, dropped_a, dropped_b,
        offset_share_mean + pattern_share_mean as cosine_mean,
        pearson_mean, offset_share_mean, pattern_share_mean
    from counted
    left join measured using (model_a, model_b)
