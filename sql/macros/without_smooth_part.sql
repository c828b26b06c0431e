-- a list of d numbers, one a dimension, less the mean of each and its neighbours: what is not smooth in it. Each half
-- is detrended separately: sine and cosine of one frequency may be half the width apart
-- example: select without_smooth_part([1.0, 2.0, 4.0, 8.0, 1.0, 2.0, 4.0, 8.0], 8)
create macro without_smooth_part(x, d) as
without_neighbours(x[:d // 2]::double[]) || without_neighbours(x[d // 2 + 1:]::double[])
