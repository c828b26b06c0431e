-- one row per type and ordered pair of chosen points, each a model at a layer of its own: a matrix per type
-- example: from similarity_matrix_mixed([{'model': 'solar', 'layer': 10}, {'model': 'glm', 'layer': 20}])
create macro similarity_matrix_mixed(points) as table
    select ln_type, * exclude (ln_type)
    from _measured_pairs
    where
        list_contains(points, {'model': model_a, 'layer': layer_a})
        and list_contains(points, {'model': model_b, 'layer': layer_b})
    -- no row, but the error of a model that is not there
    union all by name
    select null as ln_type
    where not known_models(list_transform(points, lambda point: struct_extract(point, 'model')))
    order by ln_type, model_a, layer_a, model_b, layer_b
