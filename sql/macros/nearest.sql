-- one row per other model, highest z_eff first: which share weight history with this one, by norms alone? Models
-- with the same norms come first. Those that cannot be compared come last, without a rank, and the verdict says why
-- Sketches choose the models to compare, `most` of them (100; all if NULL), and can miss a weak relative
--   identical  all norm values are the same
--   z_sketch   how many more bits of the sketches agree than half of them (`sketched`)
--   by_chance  how many unrelated models are expected to reach such a p by chance, among the `searched` of its width
--   further    how many models are not listed though they are identical or their z_sketch is 5 or more, the same in
--              every row: a base may have thousands of descendants
--   weighed    how many of the first have pearson_mean and cosine_mean, which rank no model; NULL in others
-- example: from nearest('glm')
create macro nearest(to_model, most := 100, weighed := 20) as table
    with

    ordered as materialized (
        select
            model, identical, z_sketch,
            row_number() over (order by identical desc, z_sketch desc nulls last, model) as place
        from sketched(to_model)
    ),

    chosen as materialized (
        select model, identical, z_sketch
        from ordered
        where most is null or place <= most
    ),

    -- models of its width can be its relatives
    counted as (
        select
            count(z_sketch) as searched,
            coalesce(count_if(place > most and (identical or z_sketch >= 5)), 0) as further
        from ordered
    ),

    listed as materialized (
        select case when most is not null then list(model) || [to_model] end as models from chosen
    ),

    compared as materialized (
        select
            model_b as model, z_eff, verdict, norms_used, k_eff, p, z_weights, z_biases, statistic_used, identical,
            z_sketch,
            row_number() over (
                order by z_eff is null, identical desc, z_eff desc nulls last, z_sketch desc nulls last, model_b
            ) as place
        from lineage_verdicts(among := (select models from listed), around := to_model)
        join chosen on chosen.model = model_b
    ),

    -- reading the weights of all that were compared would take half as long again
    listed_first as materialized (
        select list(model) || [to_model] as models from compared where place <= weighed
    ),

    averages as (
        select model_b as model, pearson_mean, cosine_mean
        from lineage_weight_similarity(among := (select models from listed_first), around := to_model)
    )

    select
        case when z_eff is not null then place end as rank,
        model, z_eff, verdict, norms_used, pearson_mean, cosine_mean, k_eff, p,
        expected_false_matches(p, z_weights, z_biases, searched) as by_chance,
        statistic_used, identical, z_sketch, searched, further
    from compared
    left join averages using (model)
    cross join counted
    -- no row, but the error of a model that is not there
    union all by name
    select to_model as model
    where not known_models([to_model])
    order by rank nulls last, z_sketch desc nulls last, model
