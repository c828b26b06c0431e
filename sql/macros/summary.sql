-- one row per type that two models share: means and extremes over matched layers, the layer of the highest
-- cosine, and matched against mismatched layers; standard deviations are those of a population
-- example: from summary('solar', 'glm')
create macro summary(one, other) as table
    with

    grid as (
        select *, layer_a = layer_b as is_matched
        from pairs
        where model_a = one and model_b = other
    )

    select
        ln_type, d,
        count_if(is_matched)::integer as matched_layers,
        avg(cosine) filter (is_matched) as cosine_mean,
        stddev_pop(cosine) filter (is_matched) as cosine_std,
        min(cosine) filter (is_matched) as cosine_min,
        max(cosine) filter (is_matched) as cosine_max,
        avg(pearson) filter (is_matched) as pearson_mean,
        stddev_pop(pearson) filter (is_matched) as pearson_std,
        min(pearson) filter (is_matched) as pearson_min,
        max(pearson) filter (is_matched) as pearson_max,
        avg(offset_share) filter (is_matched) as offset_share_mean,
        avg(pattern_share) filter (is_matched) as pattern_share_mean,
        avg(rel_l2) filter (is_matched) as rel_l2_mean,
        arg_max(layer_a, cosine) filter (is_matched) as best_layer,
        count_if(not is_matched)::integer as mismatched_pairs,
        avg(cosine) filter (not is_matched) as cosine_mismatched_mean,
        stddev_pop(cosine) filter (not is_matched) as cosine_mismatched_std,
        avg(pearson) filter (not is_matched) as pearson_mismatched_mean,
        stddev_pop(pearson) filter (not is_matched) as pearson_mismatched_std,
        cosine_mean - cosine_mismatched_mean as cosine_contrast,
        pearson_mean - pearson_mismatched_mean as pearson_contrast
    from grid
    group by ln_type, d
    having matched_layers > 0
    -- no row, but the error of a model that is not there
    union all by name
    select null as ln_type
    where not known_models([one, other])
    order by ln_type, d
