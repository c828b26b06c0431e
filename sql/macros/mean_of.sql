-- the mean of a list of numbers
-- example: select mean_of([1.0, 2.0])
create macro mean_of(x) as list_avg(x)
