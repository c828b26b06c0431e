-- true if all of a list are models of this lake, or there is no list; an error that names the first that is none
-- example: select known_models(['solar', 'glm'])
create macro known_models(names) as
coalesce(list_bool_and(list_transform(names::varchar[], lambda name: known_model(name))), true)
