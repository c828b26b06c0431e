-- one row per dimension of two vectors of one type: each value minus the mean of its vector, for a scatter plot;
-- `a` is the first vector's, `b` the second's
-- example: from points('solar', 10, 'glm', 10, 'input_layernorm')
create macro points(one, layer_one, other, layer_other, of_type) as table
    with

    first_values as (
        select unnest(range(d)) as dim, unnest(weights) - mean as a
        from vectors_of(one)
        where layer = layer_one and ln_type = of_type
    ),

    second_values as (
        select unnest(range(d)) as dim, unnest(weights) - mean as b
        from vectors_of(other)
        where layer = layer_other and ln_type = of_type
    )

    select dim, a, b
    from first_values
    join second_values using (dim)
    order by dim
