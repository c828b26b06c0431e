-- the weights of a vector minus their mean, in double precision; NULL where the mean is, for NaN or Inf
-- example: select pattern_of([1.0, 2.0], 1.5)
create macro pattern_of(weights, mean) as
case when mean is not null then list_transform(weights, lambda x: x::double - mean) end
