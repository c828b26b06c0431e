-- one row per layer that was read of the model in the table `asked`: its depth, and the neurons that the matrices have
select layer, any_value(models.layers) as depth, sum(tensor_rows) as neurons
from slices
join models using (model)
where slices.part = 'up' and model in (from asked)
group by layer
