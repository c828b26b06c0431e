-- one row per check of a claim that states something, from its rows in `answer`
-- what cannot be computed does not hold
select
    item::varchar as item,
    statement::varchar as statement,
    null as expected,
    null as tolerance,
    case when not isnan(observed::double) then observed::double end as observed,
    coalesce(holds::boolean, false) as holds,
    null as miss
from answer
