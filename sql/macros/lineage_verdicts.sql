-- one row per two models, `among` those listed or all, `around` one, or of the same group (`lineage_groups`): do their
-- norms agree more than chance allows?
-- The one definition of the lineage test, by ranks alone: every command, page and macro shows its verdicts. Where both
-- models have weights and biases, each is tested (`lineage_z_scores`); the larger z decides, and then has to be larger
-- example: from lineage_verdicts(['solar', 'glm', 'phi'])
create macro lineage_verdicts(
    among := null::varchar[], around := null::varchar, groups := null::varchar[][]
) as table
    with

    kinds as materialized (
        select z_scores.*, z_eff - coalesce(concentrated_z, share_z) as surplus
        from lineage_z_scores(among := among, around := around, groups := groups) as z_scores, lineage_thresholds()
    ),

    asked as (
        select
            model_a, model_b,
            max_by(kind, surplus) as decided_by,
            case when count(*) > 1 then 'weights and biases' else max(kind) end as asked,
            max_by(z_eff, surplus) as largest_z,
            min(z_eff) as smallest_z,
            coalesce(
                max_by(concentrated_z, surplus),
                case when count(*) > 1 then max(share_z_twice) else max(share_z) end
            ) as needed_z
        from kinds
        cross join lineage_thresholds()
        where is_asked
        group by model_a, model_b
    ),

    z_by_part as (
        select
            model_a, model_b,
            max(case when kind = 'weights' then z_eff end) as z_weights,
            max(case when kind = 'biases' then z_eff end) as z_biases
        from kinds
        group by model_a, model_b
    ),

    -- the figures of a pair are those of the part that decides, or of the weights
    tested as (
        select
            pairs_to_test.*, dropping.* exclude (model_a, model_b), asked.* exclude (model_a, model_b),
            kinds.* exclude (model_a, model_b), z_weights, z_biases
        from lineage_pairs_to_test(among := among, around := around, groups := groups) as pairs_to_test
        left join lineage_dropped(among := among, around := around, groups := groups) as dropping
            using (model_a, model_b)
        left join asked using (model_a, model_b)
        left join z_by_part using (model_a, model_b)
        left join kinds
            on
                kinds.model_a = pairs_to_test.model_a and kinds.model_b = pairs_to_test.model_b
                and kinds.kind = coalesce(asked.decided_by, 'weights')
    ),

    explained as (
        select
            *,
            case
                when ordered <> '' then 'the dimensions of ' || ordered || ' have a fixed order'
                when repeated_z >= 1 and largest_z < needed_z
                    then
                        'in both models dimensions repeat others (' || least(repeated_a, repeated_b)
                        || ' and ' || greatest(repeated_a, repeated_b) || ' of ' || width_a || ')'
            end as guard,
            case
                when width_a <> width_b
                    then 'widths differ (' || least(width_a, width_b) || ' and ' || greatest(width_a, width_b) || ')'
                when guard is not null then guard
                when asked is not null then null
                when coalesce(norms_used, 0) = 0 and dropped is not null
                    then dropped || ' (folded into the next matrix, or never trained)'
                else 'too few norms (' || coalesce(norms_used, 0) || ')'
            end as obstacle
        from tested
    )

    select
        model_a, model_b, d, depth_a, depth_b,
        coalesce(norms_used, 0)::integer as norms_used, coalesce(norms_dropped, 0) as norms_dropped, dropped,
        spearman_mean, k_eff, z_naive, z_eff, z_most,
        case when guard is null then lineage_tail(z_eff, concentration) end as p,
        z_weights, z_biases, needed_z,
        case
            when z_eff is not null
                then
                    kind || case when over_layers then ', summed over layers' else ', layer by layer' end
                    || coalesce(
                        ', detrended because dimensions of ' || nullif(positioned, '')
                        || ' look autocorrelated (limit z ' || round(position_z, 1) || ')', ''
                    )
                    || case when repeated_z > 0 then ', less what repeated dimensions can add (z of ' else '' end
                    || case when repeated_z > 0 then round(repeated_z, 1) || ')' else '' end
        end as statistic_used,
        obstacle,
        lineage_verdict(largest_z, smallest_z, needed_z, asked, obstacle) as verdict
    from explained
    cross join lineage_thresholds()
