-- one row per norm and pair of models that share layers in one width
-- how far each pair's cosine is above its permutations
--
-- z_low: smallest permutation z over the shared layers; z_mean and z_high likewise
-- ceiling: largest z that vectors so wide can have, sqrt(d - 1)
-- is_disputed: that pair
with

-- those of the argument first; the pairs of hundreds could not be drawn
chosen as (
    select model
    from models
    order by list_position(['solar', 'glm', 'intellect', 'phi', 'mixtral', 'mistral_7b'], model) nulls last, model
    limit 12
),

matched as (
    from matched_layers
    where
        ln_type in ('input_layernorm', 'post_attention_layernorm')
        and model_a < model_b and permutation_z is not null
        and model_a in (select model from chosen) and model_b in (select model from chosen)
)

select
    ln_type, model_a, model_b,
    model_a || ' – ' || model_b as pair,
    count(*) as layers,
    round(min(permutation_z), 3) as z_low,
    round(avg(permutation_z), 3) as z_mean,
    round(max(permutation_z), 3) as z_high,
    round(sqrt(any_value(d) - 1), 3) as ceiling,
    (model_a, model_b) = ('glm', 'solar') as is_disputed
from matched
group by ln_type, model_a, model_b
order by z_mean desc, pair
