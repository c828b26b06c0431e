-- one row per ordered pair of layer vectors of four models, layers 0 to 31 of the input norm
-- the products that a joint PCA decomposes, into three coordinates a layer (charts/three_dimensions.py)
select model_a, layer_a, model_b, layer_b, centered_product
from centered_gram(['solar', 'glm', 'intellect', 'phi'], 'input_layernorm', range(0, 32))
order by model_a, layer_a, model_b, layer_b
