-- a number for two values together, since joins on names take most of the time: one of the few functions that each
-- engine defines in its own way; nothing but equality follows from it
-- example: select key_of('input_layernorm', 10)
create macro key_of(one, other) as hash(one, other)
