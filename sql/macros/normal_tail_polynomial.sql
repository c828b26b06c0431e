-- the polynomial of upper_normal_tail
-- example: select normal_tail_polynomial(0.5)
create macro normal_tail_polynomial(t) as
-1.26551223e0 + 1.00002368e0 * t + 0.37409196e0 * t ** 2 + 0.09678418e0 * t ** 3 - 0.18628806e0 * t ** 4
+ 0.27886807e0 * t ** 5 - 1.13520398e0 * t ** 6 + 1.48851587e0 * t ** 7 - 0.82215223e0 * t ** 8 + 0.17087277e0 * t ** 9
