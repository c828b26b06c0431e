-- one row per two models, layer and type of norm weights that enter the lineage test in both: how alike they are, layer
-- by layer; `among` models listed or all, or `around` one
-- example: from matched_norms(['solar', 'glm'])
create macro matched_norms(among := null::varchar[], around := null::varchar) as table
    with

    -- unnest(list(…)) tells DuckDB that the models are few
    models_asked as materialized (
        select unnest(list(distinct model)) as model
        from files.sketches
        where among is null or list_contains(among, model)
    ),

    -- a list that is known when the query is planned also chooses the row groups that are read
    used as not materialized (
        select model, layer, ln_type, d, mean, std, l2_norm, weights
        from lineage_norms
        where
            kind = 'weights' and dropped is null
            and model in (select model from models_asked)
            and (among is null or list_contains(among, model))
    ),

    centred as not materialized (
        select model, layer, ln_type, d, mean, std, l2_norm, pattern_of(weights, mean) as pattern
        from used
    ),

    -- Σ pattern is 0, so that the mean of the other vector adds nothing
    multiplied as (
        select
            a.model as model_a, b.model as model_b, layer, ln_type, d,
            inner_product(a.pattern, b.weights) as pattern_product,
            a.mean as mean_a, b.mean as mean_b, a.std as std_a, b.std as std_b, a.l2_norm as length_a,
            b.l2_norm as length_b
        from used as b
        join centred as a using (layer, ln_type, d)
        where case when around is null then a.model < b.model else a.model = around and b.model <> around end
    ),

    shared as (
        select
            model_a, model_b, layer, ln_type, d,
            pearson_of(pattern_product, d, std_a, std_b) as pearson,
            offset_share_of(d, mean_a, mean_b, length_a, length_b) as offset_share,
            pattern_share_of(pattern_product, length_a, length_b) as pattern_share
        from multiplied
    )

    select
        model_a, model_b, layer, ln_type, d, offset_share + pattern_share as cosine, pearson, offset_share,
        pattern_share
    from shared
