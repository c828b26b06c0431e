-- one row per layer, type and ordered pair of different models that both have the vector in one width
-- how alike are two models layer by layer, with the metrics that need the elements
select model_a, model_b, layer_a as layer, * exclude (model_a, model_b, layer_a, layer_b)
from _measured_pairs
where layer_a = layer_b and model_a <> model_b
