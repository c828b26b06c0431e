-- one row per layer that was read of the model that the variable `asked` names: its depth, and how many neurons
-- the matrices have
select layer, any_value(models.layers) as depth, sum(tensor_rows) as neurons
from slices
join models using (model)
where slices.matrix = 'up' and model = getvariable('asked')
group by layer
