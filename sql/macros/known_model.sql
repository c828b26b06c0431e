-- true for a model of this lake, an error that names it otherwise, and the nearest name there is
-- files.model_names() is one text, /name/name/, of the first thousands: for the nearest name only
-- example: select known_model('solar')
create macro known_model(name) as
case
    when files.holder_of(name) is not null and not contains(name, '/') then true
    else error(format(
        'no model ''{}'' in this lake: {}`select model from models` lists what there is', name,
        coalesce('did you mean ' || nearest_name(name, string_split(trim(files.model_names(), '/'), '/')) || '? ', '')
    ))
end
