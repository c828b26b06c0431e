-- the part of a cosine that two means make, from the width, the means and the lengths
-- example: select offset_share_of(4, 1.0, 1.0, 2.5, 2.5)
create macro offset_share_of(d, mean_a, mean_b, length_a, length_b) as
d * mean_a * mean_b / nullif(length_a * length_b, 0)
