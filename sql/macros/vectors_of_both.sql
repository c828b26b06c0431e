-- one row per vector of two models, norms and projections, from their own files alone, read once
-- what `vectors_of` and `joined_models` read
-- example: select model, layer, mean from vectors_of_both('solar', 'glm')
create macro vectors_of_both(one, other) as table
    select
        model, layer, ln_type, d, mean, std, l2_norm, min, max, q01, q25, q50, q75, q99, abs_q99, n_nan, n_inf,
        weights, ranks
    from
        query(
            'from files.vectors_in(['
            || 'coalesce(' || files.holder_call(one) || ', unknown_model(' || quoted(one) || ')), '
            || 'coalesce(' || files.holder_call(other) || ', unknown_model(' || quoted(other) || '))], ['
            || quoted(one) || ', ' || quoted(other) || '])'
        )
    -- a part has others, too
    where model in (one, other)
