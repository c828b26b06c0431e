-- one row per ordered pair of the chosen layer vectors: their inner product after the mean of all chosen
-- vectors, dimension by dimension, is taken out; what a joint PCA of the stacked vectors decomposes
-- example: from centered_gram(['solar', 'glm'], 'input_layernorm', range(0, 32))
create macro centered_gram(among, of_type, at_layers) as table
    with

    gram as (
        select model_a, layer_a, model_b, layer_b, inner_product
        from pairs
        where
            ln_type = of_type
            and list_contains(among, model_a) and list_contains(among, model_b)
            and list_contains(at_layers, layer_a) and list_contains(at_layers, layer_b)
    )

    select
        model_a, layer_a, model_b, layer_b,
        inner_product
        - avg(inner_product) over (partition by model_a, layer_a)
        - avg(inner_product) over (partition by model_b, layer_b)
        + avg(inner_product) over () as centered_product
    from gram
    order by model_a, layer_a, model_b, layer_b
