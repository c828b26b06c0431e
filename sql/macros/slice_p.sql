-- the chance that an exact statistic of slices is above z where nothing is shared: of z_order by the normal
-- distribution, of a sum of fair coins at most exp(−z²/2) (Hoeffding) and at most 3.1787 times the normal one
-- (Bentkus and Dzindzalieta, 2015)
-- example: select slice_p('z_sign', 5.0)
create macro slice_p(statistic, z) as
case
    when z <= 0 then 1
    when statistic = 'z_order' then normal_tail(z)
    else least(exp(-z * z / 2), 3.1787e0 * normal_tail(z))
end
