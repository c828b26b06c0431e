-- one row per row read of the matrices of the model that the variable `asked` names
-- The expert that every token goes through stands where the MLP of a dense layer does: it has the same name here
select matrix, layer, coalesce(nullif(expert, 'shared'), '') as expert, row, anchor, weights
from slice_rows
where model = getvariable('asked')
order by matrix, layer, expert, row
