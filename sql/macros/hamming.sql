-- in how many bits two lists of BIGINT differ: one of the few functions that each engine defines in its own way
-- example: select hamming([7, 0], [1, 1])
create macro hamming(a, b) as
list_sum(list_transform(list_zip(a, b), lambda p: bit_count(xor(p[1], p[2]))::bigint))
