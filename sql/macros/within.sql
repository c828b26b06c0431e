-- one row per type and ordered pair of a model's layers, a layer with itself included: a matrix per type
-- example: from within('solar', [10, 20, 30])
create macro within(of_model, at_layers) as table
    select ln_type, * exclude (ln_type, model_a, model_b)
    from _measured_pairs
    where
        model_a = of_model and model_b = of_model
        and list_contains(at_layers, layer_a) and list_contains(at_layers, layer_b)
    -- no row, but the error of a model that is not there
    union all by name
    select null as ln_type
    where not known_models([of_model])
    order by ln_type, layer_a, layer_b
