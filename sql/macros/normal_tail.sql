-- the chance that a standard normal number is above z; a rational approximation of the error function, right to 1.2e-7
-- of its value however small that is (Press et al., Numerical Recipes, erfc by Chebyshev fitting)
-- example: select normal_tail(1.96)
create macro normal_tail(z) as
case when z < 0 then 1 - upper_normal_tail(-z) else upper_normal_tail(z) end
