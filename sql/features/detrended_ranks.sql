-- one row per norm of a model whose dimensions have a fixed order: the columns that are stored; FLOAT holds its
-- ranks exactly
select model, kind, layer, ln_type, d, detrended_ranks::float[] as detrended_ranks
from _detrended_ranks
order by model, ln_type, layer
