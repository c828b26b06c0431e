-- one row per vector of one model, norms and projections, from its own files alone
-- as `vectors` filtered by the model, but in a time that does not grow with the number of models
-- example: select layer, mean, std from vectors_of('solar')
create macro vectors_of(of_model) as table
    select
        model, layer, ln_type, d, mean, std, l2_norm, min, max, q01, q25, q50, q75, q99, abs_q99, n_nan, n_inf,
        weights, pattern_of(weights, mean) as pattern, ranks
    from vectors_of_both(of_model, of_model)
