-- one row per other model, highest z_eff first: which share weight history with this one, by norms alone?
-- Those that cannot be compared come last, without a rank, and the verdict says why
-- example: from nearest('glm')
create macro nearest(to_model) as table
    with

    compared as (
        from lineage_pairs(around := to_model)
        -- no row, but the error of a model that is not there, which a filter on no rows would not raise
        union all by name
        select to_model as model_a
        where not known_model(to_model)
    )

    select
        case when z_eff is not null then row_number() over (order by z_eff desc nulls last, model_b) end as rank,
        model_b as model,
        norms_used, pearson_mean, cosine_mean, k_eff, z_eff, p, statistic_used, verdict
    from compared
    order by rank nulls last, model
