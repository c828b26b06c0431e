-- one row per model that has norm weights of the residual stream: all that `sketches` has but for the bits
select model, width, decoder_layers, depth, layers, position_z
from files.sketches
join places using (model)
