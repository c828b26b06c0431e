-- one row per type and ordered pair of models at one layer, a model with itself included: a matrix per type;
-- `among` picks models (all by default), in the order given by `model_a`, `model_b`
-- example: from similarity_matrix(10, among := ['solar', 'glm', 'phi'])
create macro similarity_matrix(at_layer, among := null) as table
    select ln_type, * exclude (ln_type, layer_a, layer_b)
    from _measured_pairs
    where
        layer_a = at_layer and layer_b = at_layer
        and (among is null or (list_contains(among, model_a) and list_contains(among, model_b)))
    -- no row, but the error of a model that is not there
    union all by name
    select null as ln_type
    where not known_models(among)
    order by ln_type, model_a, model_b
