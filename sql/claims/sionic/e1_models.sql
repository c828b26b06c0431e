-- id: sionic.e1_models
-- title: The models compared have the widths, layer counts and sizes that table E.1 lists.
-- documents: sionic_ko, sionic_en
-- section: E.1, 4, F.8
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 2
-- history: v2: GLM's size without the MTP layer, sizes may be cut off, 100B as a name of round tens
-- reading: Width: the values in an input norm. Layers: the decoder layers of config.json (GLM and INTELLECT,
--   on which the two languages differ, have a claim of their own). Parameters: bytes of the safetensors files
--   over the bytes of a value of its norms. 106B is GLM's size without its MTP layer, which cannot be told
--   apart by bytes: INTELLECT's files, the same architecture without that layer, are counted instead. A size
--   may be rounded or cut off. 100B is Solar's name, Solar-Open-100B: rounded to tens of billions. 3.8B may
--   come from the name of Phi's size, 16x3.8B, which the files do not bear; counted is the whole model.
with

printed_figures as (
    select distinct item, model_a as model, metric, value, half_digit
    from printed
    where item like 'sionic.e1.%' and item not similar to '.*layers.(glm|intellect)_.*'
),

widths as (
    select model, min(d) as width
    from vector_stats
    where ln_type = 'input_layernorm' and model in ('solar', 'glm', 'intellect', 'phi')
    group by model
),

sizes as (
    select
        if(model = 'intellect', 'glm', model) as model,
        file_bytes / case dtype when 'BF16' then 2 when 'F16' then 2 when 'F32' then 4 end as parameters
    from models
    where model in ('solar', 'intellect', 'phi')
),

found as (
    select
        printed_figures.*,
        case printed_figures.metric
            when 'hidden_size' then widths.width
            when 'layer_count' then models.layers
            when 'parameter_count' then sizes.parameters
        end as observed
    from printed_figures
    left join widths using (model)
    left join models using (model)
    left join sizes using (model)
)

select
    item,
    'plain' as reading,
    value as expected,
    half_digit * case when item = 'sionic.e1.params.solar' then 10 when observed > value then 2 else 1 end as tolerance,
    observed
from found
order by item
