-- the chance that unrelated models reach a z: by the normal distribution, or, where few dimensions hold most of the
-- ranks (nearly all values are equal), at most the bound of Bernstein, exp(−z² / (2 + 2·z·concentration/3))
-- example: select lineage_tail(5.0, 0.6)
create macro lineage_tail(z, concentration) as
case
    when z <= 0 or concentration <= (select normal_up_to from lineage_thresholds()) then normal_tail(z)
    else greatest(normal_tail(z), exp(-z * z / nullif(2 + 2 * z * concentration / 3, 0)))
end
