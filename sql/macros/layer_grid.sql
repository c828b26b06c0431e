-- one row per layer of the first and layer of the second model: the heatmap of one type
-- example: from layer_grid('solar', 'glm', 'input_layernorm')
create macro layer_grid(one, other, of_type) as table
    select * exclude (model_a, model_b, ln_type)
    from pairs
    where model_a = one and model_b = other and ln_type = of_type
    -- no row, but the error of a model that is not there
    union all by name
    select null as layer_a
    where not known_models([one, other])
    order by layer_a, layer_b
