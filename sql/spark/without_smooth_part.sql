-- a list of d numbers, one a dimension, less the mean of each and its neighbours, either half by itself
create macro without_smooth_part(x, d) as
transform(
    x,
    (_x, _i) -> _x - (
        cast(_x as double)
        + case when _i in (0, d div 2) then 0 else get(x, _i - 1) end
        + case when _i in (d div 2 - 1, d - 1) then 0 else get(x, _i + 1) end
    ) / (
        1
        + case when _i in (0, d div 2) then 0 else 1 end
        + case when _i in (d div 2 - 1, d - 1) then 0 else 1 end
    )
)
