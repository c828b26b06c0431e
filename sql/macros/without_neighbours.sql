-- a list of at least two numbers less the mean of each and its neighbours
-- the ends have one neighbour: beyond them stands the mean of the two, with which three have the mean that two had
-- example: select without_neighbours([1.0, 2.0, 4.0])
create macro without_neighbours(x) as
list_transform(
    list_zip([(x[1] + x[2]) / 2] || x[:-2], x, x[2:] || [(x[-2] + x[-1]) / 2]),
    lambda p: p[2] - (p[1] + p[2] + p[3]) / 3
)
