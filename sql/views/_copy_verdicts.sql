-- one row per model: what the lineage test would say of it and a model with the same norms, value for value
-- equal norms are no evidence if there is nothing in them, as in folded ones
with

counted as (
    select
        model,
        count(*) filter (dropped is null and kind = 'weights') as norms_used,
        bool_or(sketches.period_z >= thresholds.period_z or sketches.echo_z >= thresholds.echo_z) as is_ordered
    from lineage_norms
    join files.sketches as sketches using (model)
    cross join lineage_thresholds() as thresholds
    group by model
)

select
    model,
    case
        when is_ordered then 'cannot tell: the dimensions of ' || model || ' have a fixed order'
        when norms_used < least_norms then 'cannot tell: too few norms (' || norms_used || ')'
        else 'share weight history'
    end as verdict
from counted
cross join lineage_thresholds()
