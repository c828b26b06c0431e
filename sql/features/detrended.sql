-- one row per norm of a model whose dimensions have a place, in the order of packing: its ranks without their smooth
-- part, as they are compared layer by layer, but for their mean
--   number  from 0 within a model and kind
select
    model, kind || ' detrended' as kind, ln_type, layer, detrended_ranks as vector,
    row_number() over (partition by model, kind order by ln_type, layer) - 1 as number
from files.detrended_ranks
order by model, kind, number
