-- one row per norm of a model whose dimensions have a fixed order, in the order of its correlations: its detrended
-- ranks as layers are compared, before their mean is subtracted
--   number  from 0 within a model and kind
select
    model, kind || ' detrended' as kind, ln_type, layer, detrended_ranks as vector,
    row_number() over (partition by model, kind order by ln_type, layer) - 1 as number
from files.detrended_ranks
order by model, kind, number
