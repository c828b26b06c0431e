-- the correlation of two lists of numbers that have mean 0 each and are not all 0, in double precision
create macro correlation_of(a, b, length_a, length_b) as
aggregate(
    zip_with(a, b, (_x, _y) -> cast(_x as double) * cast(_y as double)), cast(0 as double),
    (_sum, _product) -> _sum + _product
) / nullif(length_a * length_b, 0)
