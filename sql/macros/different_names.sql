-- the different texts of a group, in order, as one text; NULL if there is none: an aggregate
-- example: select different_names(x) from (values ('b'), ('a'), ('b')) as t (x)
create macro different_names(x) as string_agg(distinct x, ', ' order by x)
