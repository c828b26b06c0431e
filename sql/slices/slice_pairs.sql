-- one row per two models of the table `slices_asked`: what their slices say
-- Exact tests: the null of each z comes from a symmetry of training, and the smallest p pays for their number. Effect
-- size: the share of neurons that agree, whose null is empirical (`just calibrate --slices`); it has no p
with

-- where ups follow the gates of their own model, matching by one finds the other, in strangers as well
testable as (
    select slice_statistics.*
    from slice_statistics
    join slices_asked using (model_a, model_b), lineage_thresholds() as thresholds
    where coupling_z_a < thresholds.coupling_z and coupling_z_b < thresholds.coupling_z
),

exact as (
    select
        model_a, model_b,
        count(*) as tests,
        arg_max(statistic || ', ' || form, z) as decided_by,
        max(z) as z_largest,
        min(z) as z_smallest,
        least(1, count(*) * min(slice_p(statistic, z))) as p,
        least(1, count(*) * min(slice_p(statistic, -z))) as p_opposed
    from (unpivot testable on z_order, z_sign, z_tokenless into name statistic value z)
    group by model_a, model_b
),

effects as (
    select
        model_a, model_b,
        max(z_order) filter (form = 'folded') as z_order_folded,
        max(z_order) filter (form = 'plain') as z_order_plain,
        max(z_sign) filter (form = 'folded') as z_sign_folded,
        max(z_sign) filter (form = 'plain') as z_sign_plain,
        max(z_tokenless) filter (form = 'folded') as z_tokenless_folded,
        max(z_tokenless) filter (form = 'plain') as z_tokenless_plain,
        max(share) filter (form = 'folded') as share_folded,
        max(share) filter (form = 'plain') as share_plain,
        max(share) as share
    from testable
    group by model_a, model_b
),

described as (
    select
        asked.*,
        case
            when gated_a <> gated_b
                then format('only the MLPs of {} have a gate', case when gated_a then model_a else model_b end)
            when coupling_z_a >= coupling_z or coupling_z_b >= coupling_z
                then format(
                    'gate and up of {} are not independent',
                    concat_ws(
                        ' and ',
                        case when coupling_z_a >= coupling_z then model_a end,
                        case when coupling_z_b >= coupling_z then model_b end
                    )
                )
            when tokens < least_tokens then format('too few shared tokens ({} of {})', tokens, least_tokens)
            when not gated_a then 'without gates a disguise cannot be seen'
            when read_share < least_read
                then format(
                    'too few neurons read ({:.0f} % of the model of which more were; --slice-budget reads more)',
                    100 * read_share
                )
            when len(unread_a) > 0 and len(unread_b) > 0
                then
                    format(
                        'depths differ ({} and {}), so layers {} of {} need layers {} of {}: '
                        || 'run `{} --slice-layers {}`',
                        depth_a, depth_b, array_to_string(layers_a, ', '), model_a,
                        array_to_string(unread_b, ', '), model_b, ingest_b, array_to_string(unread_b, ',')
                    )
        end as obstacle
    from slices_asked as asked, lineage_thresholds()
)

select
    described.*, tests, decided_by, z_largest, z_smallest, p, p_opposed,
    z_order_folded, z_order_plain, z_sign_folded, z_sign_plain, z_tokenless_folded, z_tokenless_plain,
    share_folded, share_plain, share, token_similarity,
    slice_verdict(p, p_opposed, share, obstacle, least(len(layers_a), len(layers_b))) as verdict
from described
left join exact using (model_a, model_b)
left join effects using (model_a, model_b)
left join token_similarities using (model_a, model_b)
order by model_a, model_b
