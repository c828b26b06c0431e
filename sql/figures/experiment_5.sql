-- one row per pair of eight models at layer 10, input norm
-- do MoE models agree more with each other than dense models do
--
-- kind: MoE with MoE, MoE with dense, or dense with dense
-- mean: mean cosine of the kind; std its population standard deviation
-- stated_mean: the mean that the document prints; likewise for std
with

members (model, is_moe, n) as (
    values
    ('solar', true, 1), ('glm', true, 2), ('phi', true, 3), ('mixtral', true, 4),
    ('mistral_7b', false, 5), ('yi_6b', false, 6), ('yi_9b', false, 7), ('qwen15_7b', false, 8)
),

eight_models as (
    select
        model_a, model_b, cosine, pearson,
        case
            when a.is_moe and b.is_moe then 'moe_pairs'
            when a.is_moe or b.is_moe then 'moe_non_moe_pairs'
            else 'non_moe_pairs'
        end as scope
    from matched_layers
    join members as a on a.model = model_a
    join members as b on b.model = model_b
    where ln_type = 'input_layernorm' and layer = 10 and a.n < b.n
),

stated_figures as (
    select
        scope,
        any_value(value) filter (aggregate = 'mean') as stated_mean,
        any_value(value) filter (aggregate = 'std') as stated_std
    from printed
    where document = 'critique_results' and section = 'Experiment 5' and metric = 'cosine'
    group by scope
)

select
    case scope
        when 'moe_pairs' then 'MoE with MoE'
        when 'moe_non_moe_pairs' then 'MoE with dense'
        else 'dense with dense'
    end as kind,
    model_a, model_b,
    round(cosine, 6) as cosine,
    round(pearson, 6) as pearson,
    round(avg(cosine) over (partition by scope), 6) as mean,
    round(stddev_pop(cosine) over (partition by scope), 6) as std,
    stated_mean, stated_std
from eight_models
left join stated_figures using (scope)
order by kind, model_a, model_b
