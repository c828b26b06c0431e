-- true for a model of this lake, an error that names it otherwise
-- example: select known_model('solar')
create macro known_model(name) as
(select case when holder is not null then true else unknown_model(name) end from files.holder_of(name))
