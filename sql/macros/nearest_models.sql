-- the rows of `nearest`, in any order, for every engine; none for a model that is not there
-- example: from nearest_models('glm')
create macro nearest_models(to_model, most := 100, weighed := 20) as table
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

    asked as (
        select model from chosen
        union all
        select to_model as model
    ),

    listed as materialized (
        select case when most is not null then gathered(model) end as models from asked
    ),

    -- who they are is told by ranks alone; reading the weights, too, would take half as long again
    compared as materialized (
        select
            model_b as model, z_eff, verdict, norms_used, k_eff, p, z_weights, z_biases, statistic_used, identical,
            z_sketch,
            row_number() over (
                order by
                    case when z_eff is null then 1 else 0 end, identical desc, z_eff desc nulls last,
                    z_sketch desc nulls last, model_b
            ) as place
        from lineage_tested(among := (select models from listed), around := to_model)
        join chosen on chosen.model = model_b
    ),

    first_places as (
        select model from compared where place <= weighed
        union all
        select to_model as model
    ),

    listed_first as materialized (
        select gathered(model) as models from first_places
    ),

    alike as (
        select model_b as model, pearson_mean, cosine_mean
        from lineage_alike(among := (select models from listed_first), around := to_model)
    )

    select
        case when z_eff is not null then place end as rank,
        model, z_eff, verdict, norms_used, pearson_mean, cosine_mean, k_eff, p,
        strangers_by_chance(p, z_weights, z_biases, searched) as by_chance,
        statistic_used, identical, z_sketch, searched, further
    from compared
    left join alike using (model)
    cross join counted
