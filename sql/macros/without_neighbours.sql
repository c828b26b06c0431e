-- a list of at least four numbers less the mean of each and its neighbours two away: of sine and cosine, where they
-- alternate, the next dimension has the other one
-- the first and last two have one such neighbour: with the mean of both in place of the other, three have their mean
-- example: select without_neighbours([1.0, 2.0, 4.0, 8.0])
create macro without_neighbours(x) as
list_transform(
    list_zip(
        [(x[1] + x[3]) / 2, (x[2] + x[4]) / 2] || x[:-3],
        x,
        x[3:] || [(x[-4] + x[-2]) / 2, (x[-3] + x[-1]) / 2]
    ),
    lambda p: p[2] - (p[1] + p[2] + p[3]) / 3
)
