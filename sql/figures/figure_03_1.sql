-- one row per layer: input norm of the derived model against its base
-- how much fine-tuning moved, by depth
--
-- level: what the document says of layers so deep: above 90 %, 10 to 50 %, below 10 %
select
    layer,
    round(changed_ratio, 6) as changed_ratio,
    mean_abs_diff,
    case when layer <= 2 then 'above 90 %' when layer <= 12 then '10 to 50 %' else 'below 10 %' end as level
from drift('glm', 'intellect')
where ln_type = 'input_layernorm'
order by layer
