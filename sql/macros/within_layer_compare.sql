-- one row per layer that two models share: the Pearson correlation of their vectors input minus post norm
-- example: from within_layer_compare('solar', 'glm')
create macro within_layer_compare(one, other) as table
    select
        layer, d,
        list_inner_product(a.diff_pattern, b.diff_pattern) / nullif(d * a.diff_std * b.diff_std, 0) as pearson
    from within_layer as a
    join within_layer as b using (layer, d)
    where a.model = one and b.model = other
    -- no row, but the error of a model that is not there, which a filter on no rows would not raise
    union all by name
    select null as layer
    where not known_models([one, other])
    order by layer
