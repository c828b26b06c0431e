-- one row per pair of a small model and one it was made from
-- what the lineage test sees of each way to make a model from another, on models whose ancestry is known
--
-- z_eff: NULL where it is undefined, because norms are constant
-- threshold: z_eff from which two models share weight history
-- chance_low, chance_high: lowest and highest z_eff of all pairs without relation
with

chance as (
    select min(z_eff) as chance_low, max(z_eff) as chance_high
    from calibration_pairs
    where relation <> 'related'
),

related as (
    select
        transformation, kind, model_a, model_b, z_eff, verdict,
        median(z_eff) over (partition by transformation) as z_eff_median
    from calibration_pairs
    where relation = 'related'
)

select
    transformation, kind, model_a, model_b,
    round(z_eff, 3) as z_eff,
    verdict,
    share_z as threshold,
    round(chance_low, 3) as chance_low,
    round(chance_high, 3) as chance_high
from related
cross join chance
cross join lineage_thresholds()
order by
    list_position(['child', 'same start', 'distilled', 'disguise'], kind), z_eff_median desc nulls last,
    transformation, model_a, model_b
