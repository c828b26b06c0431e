-- one row per model that has norms of the residual stream: what says which of them the lineage test may use
--   width           that of most norms; an embedding norm may be narrower
--   decoder_layers  layers from this number on predict further tokens (MTP); NULL where there are none
select
    model,
    mode(d) as width,
    any_value(case when mtp_layers > 0 then layers end) as decoder_layers
from files.vectors
join models using (model)
where is_residual_norm(ln_type)
group by model
