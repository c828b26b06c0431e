-- one row per pair of vectors of one type and width, from two views or calls given as text, by the plain join: what
-- metrics are made of, for few pairs; filters on models, layers and types reach both scans
-- example: select model_b, _pattern_product from joined_vectors('vectors', 'vectors') where model_a = 'solar'
create macro joined_vectors(firsts, seconds) as table
    with

    -- matrices have no ranks; list functions refuse a NULL anywhere near, so their pattern stands in, unused
    first_vectors as (
        select
            model, layer, ln_type, d, mean, std, l2_norm, abs_q99, weights, ranks,
            pattern_of(weights, mean) as pattern,
            coalesce(ranks::double[], pattern_of(weights, mean)) as ranks_or_pattern
        from query('from ' || firsts)
        where n_nan + n_inf = 0
    ),

    second_vectors as (
        select
            model, layer, ln_type, d, mean, std, l2_norm, abs_q99, weights, ranks,
            pattern_of(weights, mean) as pattern,
            coalesce(ranks::double[], pattern_of(weights, mean)) as ranks_or_pattern
        from query('from ' || seconds)
        where n_nan + n_inf = 0
    )

    select
        a.model as model_a, a.layer as layer_a, b.model as model_b, b.layer as layer_b, ln_type, d,
        a.mean as _mean_a, a.std as _std_a, a.l2_norm as _l2_norm_a, a.abs_q99 as _abs_q99_a,
        b.mean as _mean_b, b.std as _std_b, b.l2_norm as _l2_norm_b, b.abs_q99 as _abs_q99_b,
        list_inner_product(a.pattern, b.pattern) as _pattern_product,
        list_distance(a.pattern, b.pattern) as _pattern_distance,
        -- ranks are centred, so their cosine is their correlation
        list_cosine_similarity(a.ranks_or_pattern, b.ranks_or_pattern) as _rank_cosine,
        a.ranks is not null and a.std > 0 and b.std > 0 as _is_ranked,
        list_zip(a.weights, b.weights) as _couples
    from first_vectors as a
    join second_vectors as b using (ln_type, d)
