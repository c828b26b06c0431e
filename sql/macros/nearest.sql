-- one row per other model, highest z_eff first: which share weight history with this one, as far as norms tell? Models
-- with the same norms come first. Those that cannot be compared come last, without a rank, and the verdict says why
-- Sketches choose the models to compare, `most` of them (100; all if NULL), and can miss a weak relative
--   identical  all norm values are the same
--   z_sketch   how many more bits of the sketches agree than half of them (`sketched`)
--   further    how many models are not listed though they are identical or their z_sketch is 5 or more, the same in
--              every row: a base may have thousands of descendants
-- example: from nearest('glm')
create macro nearest(to_model, most := 100) as table
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

    not_chosen as (
        select coalesce(count_if(identical or z_sketch >= 5), 0) as further
        from ordered
        where place > most
    ),

    compared as (
        from lineage_pairs(among := (select list(model) || [to_model] from chosen), around := to_model)
        -- no row, but the error of a model that is not there, which a filter on no rows would not raise
        union all by name
        select to_model as model_a
        where not known_model(to_model)
    )

    select
        case
            when z_eff is not null
                then row_number() over (order by identical desc, z_eff desc nulls last, model_b)
        end as rank,
        model_b as model,
        z_eff, verdict, norms_used, pearson_mean, cosine_mean, k_eff, p, statistic_used, identical, z_sketch,
        further
    from compared
    join not_chosen on true
    join chosen on chosen.model = model_b
    order by rank nulls last, z_sketch desc nulls last, model_b
