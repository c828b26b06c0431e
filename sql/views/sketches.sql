-- one row per model that has norms of the residual stream
-- which models are likely to share weight history? A search compares sketches first, and `nearest` then norms
--
-- width: width of the residual stream, that of most norms
-- decoder_layers: layers from this number on predict further tokens (MTP); NULL where there are none
-- depth: number of decoder layers
-- layers: which they are
-- bits: for each dimension, whether its summed ranks are above the median, 64 to a BIGINT; narrow models have four sums
select model, width, decoder_layers, depth, layers, position_z, period_z, echo_z, repeated_dims, bits
from files.sketches
