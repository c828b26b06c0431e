-- one row per norm of a model whose dimensions have a place: what is stored of it, which FLOAT holds exactly
select model, kind, layer, ln_type, d, detrended_ranks::float[] as detrended_ranks
from _detrended_ranks
order by model, ln_type, layer
