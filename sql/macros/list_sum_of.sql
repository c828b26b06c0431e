-- lists of one length, added up element by element
-- example: select list_sum_of([[1.0, 2.0], [3.0, 4.0]])
create macro list_sum_of(lists) as
list_reduce(lists, lambda x, y: list_transform(list_zip(x, y), lambda p: p[1] + p[2]))
