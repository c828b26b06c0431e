-- the rows of `nearest`, in any order, for every engine; none for a model that is not there
-- example: from nearest_models('glm')
create macro nearest_models(to_model, most := 100) as table
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

    asked as (
        select model from chosen
        union all
        select to_model as model
    ),

    listed as materialized (
        select case when most is not null then gathered(model) end as models from asked
    ),

    compared as (
        from lineage_pairs(among := (select models from listed), around := to_model)
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
    cross join not_chosen
    join chosen on chosen.model = model_b
