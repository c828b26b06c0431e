-- the part of a cosine that the deviations from the means make, from the inner product of these and the lengths
-- example: select pattern_share_of(0.5, 2.5, 2.5)
create macro pattern_share_of(pattern_product, length_a, length_b) as pattern_product / nullif(length_a * length_b, 0)
