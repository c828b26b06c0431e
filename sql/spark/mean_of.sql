-- the mean of a list of numbers
create macro mean_of(x) as
aggregate(x, cast(0 as double), (_sum, _x) -> _sum + _x) / nullif(size(x), 0)
