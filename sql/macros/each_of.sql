-- the different values of two columns of a group, one a row, some of them twice: an aggregate
-- example: select each_of(x, y) from (values (1, 2), (2, 3)) as t (x, y)
create macro each_of(x, y) as unnest(list(distinct x) || list(distinct y))
