-- one row per pair of models, shared layer and part of the cosine, input norm
-- how much of each cosine is made by the means (offset) and how much by the pattern around them
--
-- part: offset or pattern; the two add up to the cosine exactly
-- share: that part of the cosine
-- pearson: how much of what the means leave open the pattern fills, from -1 to 1
with

disputed (model_a, model_b, panel) as (
    values
    ('solar', 'glm', 1), ('glm', 'intellect', 2), ('solar', 'intellect', 3),
    ('solar', 'phi', 4), ('glm', 'phi', 5), ('intellect', 'phi', 6)
),

chosen as (
    from disputed
    where getvariable('model_a') is null
    union all
    select getvariable('model_a')::varchar, getvariable('model_b')::varchar, 1
    where getvariable('model_a') is not null
),

matched as (
    select
        panel, model_a, model_b, layer, cosine, pearson,
        offset_share as "offset",
        pattern_share as pattern
    from matched_layers
    join chosen using (model_a, model_b)
    where
        ln_type = 'input_layernorm'
        -- known when the query is planned: only these models are read, however many the lake has
        and model_a in (
            coalesce(getvariable('model_a'), 'solar'), coalesce(getvariable('model_a'), 'glm'),
            coalesce(getvariable('model_a'), 'intellect')
        )
        and model_b in (
            coalesce(getvariable('model_b'), 'glm'), coalesce(getvariable('model_b'), 'intellect'),
            coalesce(getvariable('model_b'), 'phi')
        )
)

select
    panel, model_a, model_b, layer, part,
    round(share, 6) as share,
    round(cosine, 6) as cosine,
    round(pearson, 6) as pearson
from (unpivot matched on "offset", pattern into name part value share)
order by panel, layer, part
