-- the different texts of a group, in order, as one text; NULL if there is none: an aggregate
create macro different_names(x) as nullif(array_join(array_sort(collect_set(x)), ', '), '')
