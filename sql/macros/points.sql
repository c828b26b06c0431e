-- one row per dimension of two vectors of one type: each value minus the mean of its vector, for a scatter plot;
-- `a` is the first vector's, `b` the second's
-- example: from points('solar', 10, 'glm', 10, 'input_layernorm')
create macro points(one, layer_one, other, layer_other, of_type) as table
    with

    first_values as (
        select dim, centered_value as a
        from centered
        where model = one and layer = layer_one and ln_type = of_type
    ),

    second_values as (
        select dim, centered_value as b
        from centered
        where model = other and layer = layer_other and ln_type = of_type
    )

    select dim, a, b
    from first_values
    join second_values using (dim)
    -- no row, but the error of a model that is not there
    union all by name
    select null as dim
    where not known_models([one, other])
    order by dim
