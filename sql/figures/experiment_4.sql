-- one row per layer and pair of four MoE models, input norm
-- does the cosine between models depend on the layer chosen
--
-- mean: mean cosine of the six pairs at that layer; std their population standard deviation
-- stated_mean: the mean that the document prints; likewise for std
with

six_pairs as (
    select model_a, model_b, layer, cosine, pearson
    from matched_layers
    where
        ln_type = 'input_layernorm' and layer in (5, 10, 15, 20, 25, 30)
        and (model_a, model_b) in (
            ('solar', 'glm'), ('solar', 'phi'), ('solar', 'mixtral'),
            ('glm', 'phi'), ('glm', 'mixtral'), ('phi', 'mixtral')
        )
),

stated_figures as (
    select
        layer_a as layer,
        any_value(value) filter (aggregate = 'mean') as stated_mean,
        any_value(value) filter (aggregate = 'std') as stated_std
    from printed
    where document = 'critique_results' and section = 'Experiment 4' and layer_a is not null
    group by layer_a
)

select
    layer, model_a, model_b,
    round(cosine, 6) as cosine,
    round(pearson, 6) as pearson,
    round(avg(cosine) over (partition by layer), 6) as mean,
    round(stddev_pop(cosine) over (partition by layer), 6) as std,
    stated_mean, stated_std
from six_pairs
left join stated_figures using (layer)
order by layer, model_a, model_b
