-- one row per norm and shared layer of a base and the model made from it
-- what a derivation leaves behind in the norms, by depth; the variables `model_a` and `model_b` choose a pair
--
-- distance: 1 minus the Pearson correlation
with

moved as (
    from drift(coalesce(getvariable('model_a'), 'glm'), coalesce(getvariable('model_b'), 'intellect'))
    where ln_type in ('input_layernorm', 'post_attention_layernorm')
),

matched as (
    select layer, ln_type, pearson
    from matched_layers
    where
        model_a = coalesce(getvariable('model_a'), 'glm')
        and model_b = coalesce(getvariable('model_b'), 'intellect')
)

select
    coalesce(getvariable('model_a'), 'glm') as model_a,
    coalesce(getvariable('model_b'), 'intellect') as model_b,
    ln_type, layer,
    round(changed_ratio, 6) as changed_ratio,
    nullif(mean_abs_diff, 0) as mean_abs_diff,
    nullif(max_abs_diff, 0) as max_abs_diff,
    round(mean_bf16_steps, 3) as mean_bf16_steps,
    nullif(greatest(1 - pearson, 0), 0) as distance
from moved
join matched using (layer, ln_type)
order by ln_type, layer
