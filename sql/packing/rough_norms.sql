-- one row per norm of a model whose dimensions have a place: what is stored of it, which FLOAT holds exactly
select model, part, layer, ln_type, d, rough::float[] as rough
from _rough_norms
order by model, ln_type, layer
