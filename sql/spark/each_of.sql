-- the different values of two columns of a group, one a row: an aggregate
create macro each_of(x, y) as explode(array_union(collect_set(x), collect_set(y)))
