-- Σ a·b over two lists of numbers, in double precision (Spark's vector_inner_product adds in single precision)
create macro inner_product(a, b) as
aggregate(
    zip_with(a, b, (_x, _y) -> cast(_x as double) * cast(_y as double)), cast(0 as double),
    (_sum, _product) -> _sum + _product
)
