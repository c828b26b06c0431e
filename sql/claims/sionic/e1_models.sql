-- id: sionic.e1_models
-- title: The models compared have the widths, layer counts and sizes that table E.1 lists.
-- documents: sionic_ko, sionic_en
-- section: E.1, 4, F.8
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 1
-- reading: Width: the values in an input norm. Layers: the decoder layers of config.json (GLM and INTELLECT,
--   on which the two languages disagree, have a claim of their own). Parameters: bytes of the safetensors
--   files over the bytes of a value of its norms, so an MTP layer counts. 100B may be a name rather than a
--   figure of three digits: @tens allows the rounding to tens of billions.
with

printed_figures as (
    select distinct item, model_a as model, metric, value, half_digit
    from printed
    where item like 'sionic.e1.%' and item not similar to '.*layers.(glm|intellect)_.*'
),

checks as (
    select item, model, metric, value, half_digit as tolerance from printed_figures
    union all
    select item || '@tens', model, metric, value, 10 * half_digit
    from printed_figures
    where item = 'sionic.e1.params.solar'
),

widths as (
    select model, min(d) as width
    from vector_stats
    where ln_type = 'input_layernorm' and model in ('solar', 'glm', 'intellect', 'phi')
    group by model
),

sizes as (
    select
        model, layers,
        file_bytes / case dtype when 'BF16' then 2 when 'F16' then 2 when 'F32' then 4 end as parameters
    from models
)

select
    checks.item,
    checks.value as expected,
    checks.tolerance,
    case checks.metric
        when 'hidden_size' then widths.width
        when 'layer_count' then sizes.layers
        when 'parameter_count' then sizes.parameters
    end as observed
from checks
left join widths using (model)
left join sizes using (model)
order by checks.item
