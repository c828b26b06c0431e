-- one row per layer and type that two models share, with every metric; the first model is the base of rel_l2
-- example: from compare('solar', 'glm')
create macro compare(one, other) as table
    -- first what a terminal of 120 columns shows
    select
        layer_a as layer, ln_type, cosine, pearson,
        * exclude (model_a, model_b, layer_a, layer_b, ln_type, cosine, pearson)
    from with_all_metrics(joined_models(one, other))
    where layer_a = layer_b
    order by ln_type, layer
