-- true for a model of this lake, an error that names it otherwise
-- example: select known_model('solar')
create macro known_model(name) as
case
    when files.holder_of(name) is not null and not contains(name, '/') then true
    else error(format('no model ''{}'' in this lake: `select model from models` lists what there is', name))
end
