-- in how many bits two lists of BIGINT differ
create macro hamming(a, b) as
aggregate(
    zip_with(a, b, (_x, _y) -> cast(bit_count(_x ^ _y) as bigint)), cast(0 as bigint), (_sum, _bits) -> _sum + _bits
)
