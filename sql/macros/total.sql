-- a sum whose last digit does not depend on the order in which threads add: an aggregate
-- example: select total(x) from (values (0.1), (0.2)) as t (x)
create macro total(x) as fsum(x)
