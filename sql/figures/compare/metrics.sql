-- one row per norm and metric: mean and range over the layers that the models `model_a` and `model_b` share
-- how alike are two models, by everything that is measured
--
-- layers: of how many layers the metric is defined
-- layer_of_high: the layer with the highest value
with

compared as (
    from compare(getvariable('model_a'), getvariable('model_b'))
),

metrics as (
    from compared
    unpivot include nulls (figure for metric in (columns(* exclude (layer, ln_type, d))))
),

-- in the order in which they are published
places as (
    select column_name as metric, column_index as place
    from duckdb_columns()
    where table_name = 'matched_layers'
)

select
    ln_type, metric,
    count(figure) as layers,
    avg(figure) as mean,
    min(figure) as low,
    max(figure) as high,
    arg_max(layer, figure) as layer_of_high
from metrics
join places using (metric)
group by ln_type, metric, place
order by ln_type, place
