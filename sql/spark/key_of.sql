-- a number for two values together; nothing but equality follows from it
create macro key_of(one, other) as xxhash64(one, other)
