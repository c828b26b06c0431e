-- the error of a model that this lake does not have, and the nearest name there is: among the first thousand that stand
-- by themselves and the first thousand of those in parts
-- example: select case when 'solar' <> 'glm' then true else unknown_model('glm') end
create macro unknown_model(name) as
error(format(
    'no model ''{}'' in this lake: {}`select model from models` lists what there is', name,
    coalesce(
        'did you mean '
        || nearest_name(name, string_split(files.names_alone() || files.names_gathered(), '/')) || '? ',
        ''
    )
))
