-- the correlation of two vectors, from the inner product of their deviations, the width and the standard deviations
-- example: select pearson_of(0.5, 4, 0.5, 0.5)
create macro pearson_of(pattern_product, d, std_a, std_b) as pattern_product / nullif(d * std_a * std_b, 0)
