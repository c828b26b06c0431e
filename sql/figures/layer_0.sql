-- one row per model, norm, reference layer (0 or 10) and other layer; then the printed figures
-- is layer 0 an outlier in both norms; `set variable models = ['qwen3_14b']` chooses other models
--
-- kind: measured, printed (the figure) or printed bound (at least so much)
-- reference: layer that the others are compared with
with

chosen as (
    select
        unnest(coalesce(getvariable('models'), ['solar', 'glm', 'phi', 'qwen3_4b', 'qwen3_14b'])) as model
),

measured as (
    select 'measured' as kind, model, ln_type, layer_a as reference, layer_b as layer, round(cosine, 6) as cosine
    from within_model
    semi join chosen using (model)
    where ln_type in ('input_layernorm', 'post_attention_layernorm') and layer_a in (0, 10)
),

stated as (
    select distinct
        if(value is null, 'printed bound', 'printed') as kind,
        model_a as model, ln_type, layer_a as reference, layer_b as layer,
        coalesce(value, low) as cosine
    from printed
    where
        model_b = model_a and metric = 'cosine' and layer_a in (0, 10) and layer_b is not null
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
)

select kind, model, ln_type, reference, layer, cosine
from (
    from measured
    union all by name
    select stated.*
    from stated
    semi join measured using (model, ln_type)
)
order by kind, model, ln_type, reference, layer
