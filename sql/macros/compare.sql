-- one row per layer and type that two models share, with every metric; the first model is the base of rel_l2
-- example: from compare('solar', 'glm')
create macro compare(one, other) as table
    -- first what a terminal of 120 columns shows
    select
        layer_a as layer, ln_type, cosine, pearson,
        * exclude (model_a, model_b, layer_a, layer_b, ln_type, cosine, pearson)
    from _measured_pairs
    where model_a = one and model_b = other and layer_a = layer_b
    -- no row, but the error of a model that is not there
    union all by name
    select null as layer
    where not known_models([one, other])
    order by ln_type, layer
