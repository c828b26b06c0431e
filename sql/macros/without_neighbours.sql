-- a list of numbers less the mean of each and its neighbours: the ends have one neighbour
-- example: select without_neighbours([1.0, 2.0, 4.0])
create macro without_neighbours(x) as
list_transform(
    list_zip(x, [null::double] || x[:-2]::double[], x[2:]::double[] || [null::double]),
    lambda p: p[1]::double - (p[1]::double + coalesce(p[2], 0) + coalesce(p[3], 0))
    / (1 + (p[2] is not null)::integer + (p[3] is not null)::integer)
)
