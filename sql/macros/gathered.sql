-- the values of a group as a list, in any order; none of them NULL: an aggregate
-- example: select gathered(x) from (values (1), (2)) as t (x)
create macro gathered(x) as list(x)
