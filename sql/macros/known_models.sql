-- true if all of a list are models of this lake, or there is no list; an error that names one that is none
-- example: select known_models(['solar', 'glm'])
create macro known_models(names) as
(
    select coalesce(bool_and(case when models.model is not null then true else unknown_model(name) end), true)
    from (select unnest(names::varchar[]) as name)
    left join files.models as models on models.model = name
)
