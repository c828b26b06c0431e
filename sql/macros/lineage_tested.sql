-- one row per two models, `among` those listed or all, or `around` one: do their norms agree more than chance allows?
-- The one definition of the lineage test: what every command, page and macro says of a pair is said here, by ranks
-- alone (`lineage_pairs` adds what the weights are like). Weights and biases are asked apart where both models have
-- them (`lineage_parts`); the larger z decides, and has to be larger
-- example: from lineage_tested(['solar', 'glm', 'phi'])
create macro lineage_tested(among := null::varchar[], around := null::varchar) as table
    with

    parts as materialized (
        select *, norms_used >= least_norms and z_most >= share_z as is_asked
        from lineage_parts(among := among, around := around), lineage_thresholds()
    ),

    asked as (
        select
            model_a, model_b,
            max_by(part, z_eff) as decided_by,
            case when count(*) > 1 then 'weights and biases' else max(part) end as asked,
            max(z_eff) as largest_z,
            min(z_eff) as smallest_z,
            case when count(*) > 1 then max(share_z_twice) else max(share_z) end as needed_z
        from parts
        where is_asked
        group by model_a, model_b
    ),

    -- what is told of a pair is told of the part that decides, or of the weights
    tested as (
        select
            candidates.*, dropping.* exclude (model_a, model_b), asked.* exclude (model_a, model_b),
            parts.* exclude (model_a, model_b),
            weights.z_eff as z_weights,
            biases.z_eff as z_biases,
            -- in one order, whoever asks
            nullif(
                case
                    when candidates.model_a < candidates.model_b then concat_ws(', ', dropped_a, dropped_b)
                    else concat_ws(', ', dropped_b, dropped_a)
                end,
                ''
            ) as dropped
        from lineage_candidates(among := among, around := around) as candidates
        left join lineage_dropped(among := among, around := around) as dropping using (model_a, model_b)
        left join asked using (model_a, model_b)
        left join parts
            on
                parts.model_a = candidates.model_a and parts.model_b = candidates.model_b
                and parts.part = coalesce(asked.decided_by, 'weights')
        left join parts as weights
            on
                weights.model_a = candidates.model_a and weights.model_b = candidates.model_b
                and weights.part = 'weights'
        left join parts as biases
            on
                biases.model_a = candidates.model_a and biases.model_b = candidates.model_b
                and biases.part = 'biases'
    ),

    explained as (
        select
            *,
            case
                when width_a <> width_b
                    then 'widths differ (' || least(width_a, width_b) || ' and ' || greatest(width_a, width_b) || ')'
                when asked is not null then null
                when coalesce(norms_used, 0) = 0 and dropped is not null
                    then dropped || ' (folded into the next matrix, or never trained)'
                else 'too few norms (' || coalesce(norms_used, 0) || ')'
            end as obstacle
        from tested
    )

    select
        model_a, model_b, d, depth_a, depth_b,
        coalesce(norms_used, 0)::integer as norms_used,
        coalesce(norms_dropped, 0) as norms_dropped,
        dropped, spearman_mean, k_eff, z_naive, z_eff, z_most,
        normal_tail(z_eff) as p,
        z_weights, z_biases, needed_z,
        case
            when z_eff is not null
                then
                    part || case when over_layers then ', summed over layers' else ', layer by layer' end
                    || coalesce(', smooth part taken out (dimensions of ' || nullif(placed, '') || ' have a place)', '')
        end as statistic_used,
        obstacle,
        lineage_verdict(largest_z, smallest_z, needed_z, asked, obstacle) as verdict
    from explained
