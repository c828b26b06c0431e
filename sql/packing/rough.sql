-- one row per norm of a model whose dimensions have a place, in the order of packing: its ranks without their smooth
-- part, as they are compared layer by layer, but for their mean
--   number  from 0 within a model and part
select
    model, part || ' rough' as part, ln_type, layer, rough as vector,
    row_number() over (partition by model, part order by ln_type, layer) - 1 as number
from files.rough_norms
order by model, part, number
