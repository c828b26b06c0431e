-- lists of one length, added up element by element, in the order of their positions: an aggregate
-- example: select sum_of_lists(x, i) from (values ([1.0, 2.0], 1), ([3.0, 4.0], 2)) as t (x, i)
create macro sum_of_lists(x, position) as
list_reduce(list(x order by position), lambda a, b: list_transform(list_zip(a, b), lambda p: p[1] + p[2]))
