-- the weights of a vector minus their mean, in double precision; NULL where the mean is
create macro pattern_of(weights, mean) as
case when mean is not null then transform(weights, _x -> cast(_x as double) - mean) end
