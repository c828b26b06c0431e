-- Σ a·b over two lists of numbers, in double precision: one of the few functions that each engine defines in its way
-- example: select inner_product([1.0, 2.0], [3.0, 4.0])
create macro inner_product(a, b) as list_inner_product(a::double[], b::double[])
