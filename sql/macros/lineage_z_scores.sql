-- one row per two models that can be compared and kind of their norms, weights or biases: do they agree more than
-- chance allows? Under one joint permutation of the dimensions of all vectors of one model the agreement has mean 0 and
-- variance overlap / (d−1): z_eff divides by its root, and k_eff vectors' worth of evidence is left. z_naive counts
-- every vector in full, as if those of one model did not resemble each other; z_most is the z_eff of a perfect copy
--   repeated_z     how much of z dimensions can add that repeat in both models (the same padding); z_eff is less it
--   concentration  the largest product of one dimension of either model, in standard deviations of the agreement
--   concentrated_z where that is large, the z at which Bernstein's bound reaches what the normal tail does at
--                  share_z_twice
--   is_asked       whether there are enough norms, and a copy would reach share_z
-- example: from lineage_z_scores(['solar', 'glm'])
create macro lineage_z_scores(
    among := null::varchar[], around := null::varchar, groups := null::varchar[][]
) as table
    with

    pairs_to_test as materialized (
        from lineage_pairs_to_test(among := among, around := around, groups := groups)
        where width_a = width_b
    ),

    agreements as materialized (
        from lineage_rank_agreement(among := among, around := around, groups := groups)
    ),

    self_correlations as materialized (
        from lineage_self_correlation(among := among, around := around, groups := groups)
    ),

    models_to_test as (
        select model_a as model from pairs_to_test
        union
        select model_b as model from pairs_to_test
    ),

    both_forms as (
        select *, regexp_replace(kind, ' detrended$', '', 'g') as of_kind
        from files.correlations
        where model in (select model from models_to_test)
    ),

    -- detrending makes dimensions that repeat others differ by their neighbours: as ranked, they still do
    measured as materialized (
        select
            model, of_kind as kind, ends_with(kind, ' detrended') as is_detrended, leverage, leverage_over_layers,
            max(repeated_share) over (partition by model, of_kind) as repeated_share,
            max(repeated_share_over_layers) over (partition by model, of_kind) as repeated_share_over_layers
        from both_forms
    ),

    spread as (
        select
            agreements.*, overlap, sqrt(overlap / nullif(d - 1, 0)) as deviation,
            case
                when over_layers then sqrt(a.leverage_over_layers * b.leverage_over_layers)
                else sqrt(a.leverage * b.leverage)
            end as leverage,
            -- what is in these dimensions, and what their weight moves the mean of the others by
            least(
                case
                    when over_layers then sqrt(a.repeated_share_over_layers * b.repeated_share_over_layers)
                    else sqrt(a.repeated_share * b.repeated_share)
                end * d / nullif(greatest(d - repeated_a, d - repeated_b, 1), 0),
                1
            ) as repeated_share
        from agreements
        join self_correlations using (model_a, model_b, kind)
        join pairs_to_test using (model_a, model_b)
        join measured as a on a.model = model_a and a.kind = agreements.kind and a.is_detrended = is_detrended_a
        join measured as b on b.model = model_b and b.kind = agreements.kind and b.is_detrended = is_detrended_b
    ),

    scored as (
        select
            model_a, model_b, kind, d, vectors, norms_used, agreement / nullif(vectors, 0) as spearman_mean,
            vectors ** 2 / nullif(overlap, 0) as k_eff,
            agreement / nullif(sqrt(vectors / nullif(d - 1, 0)), 0) as z_naive,
            (agreement - vectors * repeated_share) / nullif(deviation, 0) as z_eff,
            vectors * repeated_share / nullif(deviation, 0) as repeated_z,
            vectors * leverage / nullif(deviation, 0) as concentration,
            vectors / nullif(deviation, 0) as z_most
        from spread
    )

    select
        scored.*,
        norms_used >= least_norms and z_most >= share_z as is_asked,
        case
            when concentration > normal_up_to
                then
                    tail_exponent * concentration / 3
                    + sqrt((tail_exponent * concentration / 3) ** 2 + 2 * tail_exponent)
        end as concentrated_z
    from scored, lineage_thresholds()
