-- one row per layer that was read of the model that the variable `asked` names: its depth, how many neurons the
-- matrices have, and where the model was read
select
    layer,
    any_value(models.layers) as depth,
    sum(tensor_rows) as neurons,
    any_value(models.source) as source,
    any_value(models.repo) as repo,
    (select lake from files.catalog) as lake
from slices
join models using (model)
where slices.matrix = 'up' and model = getvariable('asked')
group by layer
