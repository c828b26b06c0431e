-- true if all of a list are models of this lake, or there is no list; otherwise an error that names one that is not
-- there, and the most similar name that is
-- example: select known_models(['solar', 'glm'])
create macro known_models(names) as
(
    with

    unknown as (
        select name
        from (select unnest(names::varchar[]) as name)
        where name not in (select model from files.models)
    ),

    compared as (
        select name, model, jaro_winkler_similarity(lower(model), lower(name)) as similarity
        from unknown
        cross join files.models
    ),

    suggested as (
        select name, max({'similarity': similarity, 'model': model}).model as suggestion
        from compared
        where similarity > 0.85
        group by name
    )

    select
        coalesce(
            bool_and(error(format(
                'no model ''{}'' in this lake: {}`select model from models` lists what there is',
                name, coalesce('did you mean ' || suggestion || '? ', '')
            ))::boolean),
            true
        )
    from unknown
    left join suggested using (name)
)
