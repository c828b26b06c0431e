-- one row per pair of models of one width, input norm: the cosine that the means alone predict, and the one observed
--
-- layers: how many both have
-- cosine: mean over them; likewise offset_share, which is what any order of the dimensions would give on average
-- is_disputed: the pair that the argument is about
with

-- those of the argument first; more would be no strip
chosen as (
    select model
    from models
    order by list_position(['solar', 'glm', 'intellect', 'phi', 'mixtral', 'mistral_7b'], model) nulls last, model
    limit 12
),

matched as (
    from matched_layers
    where
        ln_type = 'input_layernorm' and cosine is not null and model_a < model_b
        and model_a in (select model from chosen) and model_b in (select model from chosen)
)

select
    model_a, model_b,
    count(*) as layers,
    round(avg(offset_share), 6) as offset_share,
    round(avg(cosine), 6) as cosine,
    round(avg(pearson), 6) as pearson,
    (model_a, model_b) = ('glm', 'solar') as is_disputed
from matched
group by model_a, model_b
order by avg(offset_share), model_a, model_b
