-- lists of one length, added up element by element, in the order of their positions: an aggregate
create macro sum_of_lists(x, position) as
aggregate(
    array_sort(collect_list(struct(position as position, x as list))), cast(array() as array<double>),
    (_sum, _one) -> case
        when size(_sum) = 0 then _one.list
        else zip_with(_sum, _one.list, (_x, _y) -> _x + _y)
    end
)
