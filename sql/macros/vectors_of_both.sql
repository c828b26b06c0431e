-- one row per vector of two models, norms and projections, from their own files alone, read once
-- what `vectors_of` and `joined_models` read; the error of a model that is not there is made only if it is not, since
-- looking for a name like it takes longer than all else that is planned
-- example: select model, layer, mean from vectors_of_both('solar', 'glm')
create macro vectors_of_both(one, other) as table
    select
        model, layer, ln_type, d, mean, std, l2_norm, min, max, q01, q25, q50, q75, q99, abs_q99, n_nan, n_inf,
        weights, ranks
    from
        query(
            'from query(case '
            || 'when ' || files.holder_call(one) || ' is null then '
            || quoted('from files.vectors_in([unknown_model(' || quoted(one) || ')::varchar], [''''])')
            || ' when ' || files.holder_call(other) || ' is null then '
            || quoted('from files.vectors_in([unknown_model(' || quoted(other) || ')::varchar], [''''])')
            || ' else '
            || quoted(
                'from files.vectors_in([' || files.holder_call(one) || ', ' || files.holder_call(other) || '], ['
                || quoted(one) || ', ' || quoted(other) || '])'
            )
            || ' end)'
        )
    -- a part has others, too
    where model in (one, other)
