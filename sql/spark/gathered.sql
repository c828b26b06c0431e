-- the values of a group as a list, in any order; none of them NULL: an aggregate
create macro gathered(x) as collect_list(x)
