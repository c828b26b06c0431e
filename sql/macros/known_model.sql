-- true for a model of this lake, an error that names it otherwise
-- files.model_names() is one text, /name/name/
-- example: select known_model('solar')
create macro known_model(name) as
case
    when contains(files.model_names(), '/' || name || '/') and not contains(name, '/') then true
    else error(format('no model ''{}'' in this lake: `select model from models` lists what there is', name))
end
