-- one row per pair of a small model and one it was made from, as it is or fully disguised
-- the share of neurons that agree, which sees through disguises, on models whose ancestry is known
--
-- share: of the larger of its two forms; NULL where it could not be judged
-- threshold: share from which two models share weight history, in disguise
-- unrelated: largest share of all pairs without relation
with

unrelated as (
    select max(greatest(share_folded, share_plain)) as unrelated
    from slice_calibration
    where relation <> 'related'
)

select
    transformation, kind,
    case when attacked then 'after the full attack' else 'as it is' end as shown,
    model_a, model_b,
    greatest(share_folded, share_plain) as share,
    z_norms, verdict,
    disguised_share as threshold,
    unrelated
from slice_calibration
cross join unrelated
cross join lineage_thresholds()
where relation = 'related'
order by
    list_position(['child', 'same start', 'disguise', 'limit', 'distilled'], kind), transformation, attacked, model_a,
    model_b
