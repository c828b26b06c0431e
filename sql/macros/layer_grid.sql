-- one row per layer of the first and layer of the second model: the heatmap of one type
-- example: from layer_grid('solar', 'glm', 'input_layernorm')
create macro layer_grid(one, other, of_type) as table
    select * exclude (model_a, model_b, ln_type)
    from with_metrics(joined_models(one, other))
    where ln_type = of_type
    order by layer_a, layer_b
