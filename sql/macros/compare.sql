-- one row per layer and type that two models share, with every metric; the first model is the base of rel_l2
-- example: from compare('solar', 'glm')
create macro compare(one, other) as table
    select layer_a as layer, * exclude (model_a, model_b, layer_a, layer_b)
    from with_all_metrics(joined_models(one, other))
    where layer_a = layer_b
    order by ln_type, layer
