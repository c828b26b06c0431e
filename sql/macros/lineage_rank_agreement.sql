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

    correlated as (
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
            case when around is null then a.model < b.model else a.model = around and b.model <> around end
            and not (a.is_detrended and b.is_detrended)
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
