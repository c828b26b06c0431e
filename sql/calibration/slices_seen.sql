-- one row per transformation: how many of its children are found by norms alone, with slices, after the full attack
-- weakest: the smallest share of agreeing neurons, of the larger of its two forms
with

related as (
    select
        *,
        greatest(share_folded, share_plain) as share,
        by_norms = 'share weight history' as is_found_by_norms,
        verdict = 'share weight history' as is_found_exactly,
        starts_with(verdict, 'share weight history') as is_found
    from slice_calibration
    where relation = 'related'
)

select
    transformation, kind,
    count_if(not attacked)::integer as pairs,
    count_if(not attacked and is_found_by_norms)::integer as found_by_norms,
    count_if(not attacked and is_found_exactly)::integer as found_exactly,
    count_if(not attacked and is_found)::integer as found,
    min(share) filter (not attacked) as weakest,
    count_if(attacked)::integer as attacked_pairs,
    count_if(attacked and is_found_exactly)::integer as attacked_found_exactly,
    count_if(attacked and is_found)::integer as attacked_found,
    min(share) filter (attacked) as attacked_weakest
from related
group by transformation, kind
order by
    list_position(['child', 'disguise', 'same start', 'limit', 'distilled'], kind),
    attacked_found / nullif(attacked_pairs, 0) desc nulls last, transformation
