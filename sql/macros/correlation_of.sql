-- the correlation of two lists of numbers that have mean 0 each and are not all 0, in double precision: one of the few
-- functions that each engine defines in its own way; this one measures the lengths itself, which takes it no longer
-- example: select correlation_of([-1.0, 0.0, 1.0], [-1.0, 1.0, 0.0], sqrt(2), sqrt(2))
create macro correlation_of(a, b, length_a, length_b) as list_cosine_similarity(a::double[], b::double[])
