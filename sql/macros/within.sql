-- one row per type and ordered pair of a model's layers, a layer with itself included: a matrix per type
-- example: from within('solar', [10, 20, 30])
create macro within(of_model, at_layers) as table
    select ln_type, * exclude (ln_type, model_a, model_b)
    from with_all_metrics(joined_models(of_model, of_model))
    where list_contains(at_layers, layer_a) and list_contains(at_layers, layer_b)
    order by ln_type, layer_a, layer_b
