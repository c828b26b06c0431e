-- one row per model, type and ordered pair of its different layers
-- how alike are a model's own layers: the baseline that a comparison between models needs
select model_a as model, * exclude (model_a, model_b)
from _measured_pairs
where model_a = model_b and layer_a <> layer_b
