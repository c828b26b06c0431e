-- one row per model that has norm weights of the residual stream: all that `sketches` has but for the bits
select model, width, decoder_layers, depth, layers, position_z, period_z, echo_z, repeated_dims
from files.sketches
join places using (model)
