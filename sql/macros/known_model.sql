-- true for a model of this lake, an error that names it otherwise
-- asks for the one file, because listing a thousand folders takes longer than comparing two models
-- example: select known_model('solar')
create macro known_model(name) as
case
    when exists (select 1 from glob(files.vectors_file(name))) then true
    else error(format('no model ''{}'' in this lake: `select model from models` lists what there is', name))
end
