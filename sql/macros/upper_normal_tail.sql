-- as normal_tail, for z of 0 or more: t/2·exp(−z²/2 + a polynomial of t), with t = 1 / (1 + z/√8)
-- example: select upper_normal_tail(1.96)
create macro upper_normal_tail(z) as
1 / (2 + z / sqrt(2)) * exp(-z * z / 2 + normal_tail_polynomial(1 / (1 + z / sqrt(8))))
