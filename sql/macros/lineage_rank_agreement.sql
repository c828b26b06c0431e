-- one row per two models that can be compared and kind of their norms, weights or biases: how much they agree, by rank
--   vectors     how many vectors of the one have a counterpart in the other: the same type, layer and width
--   norms_used  how many norms these are made of
--   agreement   Σ r, the rank correlations of vectors with their counterparts
-- example: from lineage_rank_agreement(['solar', 'glm'])
create macro lineage_rank_agreement(
    among := null::varchar[], around := null::varchar, groups := null::varchar[][]
) as table
    with

    pairs_to_test as materialized (
        from lineage_pairs_to_test(among := among, around := around, groups := groups)
        where width_a = width_b
    ),

    -- read again for each mention: a thousand models are 0.3 GB of ranks
    vectors as not materialized (
        from lineage_vectors(among := among, around := around, groups := groups)
        join lineage_groups(among := among, groups := groups) using (model)
    ),

    -- all pairs, or all with one
    all_correlated as (
        select
            a.model as model_a, b.model as model_b, a.kind, a.d, a.over_layers,
            a.is_detrended as is_detrended_a, b.is_detrended as is_detrended_b,
            a.norms as norms_a, b.norms as norms_b,
            correlation_of(a.vector, b.vector, a.length, b.length) as correlation
        from vectors as b
        join vectors as a
            on
                a.ln_type = b.ln_type and a.layer = b.layer and a.d = b.d and a.over_layers = b.over_layers
                and a.group_number = b.group_number
        where
            groups is null
            and case when around is null then a.model < b.model else a.model = around and b.model <> around end
            and not (a.is_detrended and b.is_detrended)
    ),

    -- thousands of single pairs: from the pairs on, so that a model in many of them is not repeated for each
    vectors_of_pairs as materialized (
        from lineage_vectors(among := among, around := around, groups := groups)
        where groups is not null
    ),

    vectors_of_first as (
        select pairs_to_test.* exclude (over_layers), found.* exclude (model, is_detrended)
        from pairs_to_test
        join vectors_of_pairs as found
            on
                found.model = model_a and found.is_detrended = is_detrended_a
                and found.over_layers = pairs_to_test.over_layers
    ),

    correlated as (
        from all_correlated
        union all
        select
            model_a, model_b, a.kind, a.d, a.over_layers, is_detrended_a, is_detrended_b,
            a.norms as norms_a, b.norms as norms_b,
            correlation_of(a.vector, b.vector, a.length, b.length) as correlation
        from vectors_of_first as a
        join vectors_of_pairs as b
            on
                b.model = model_b and b.ln_type = a.ln_type and b.layer = a.layer and b.d = a.d
                and b.over_layers = a.over_layers and b.is_detrended = is_detrended_b
    ),

    -- rounded to 2^-44, correlations have an exact sum, whatever the order in which threads add them
    added as (
        select
            model_a, model_b, kind, d, over_layers, is_detrended_a, is_detrended_b,
            count(*) as vectors,
            least(sum(norms_a), sum(norms_b)) as norms_used,
            sum(round(correlation * 2 ** 44) / 2 ** 44) as agreement
        from correlated
        group by model_a, model_b, kind, d, over_layers, is_detrended_a, is_detrended_b
    )

    select model_a, model_b, kind, d, vectors, norms_used, agreement
    from added
    join pairs_to_test using (model_a, model_b, over_layers, is_detrended_a, is_detrended_b)
