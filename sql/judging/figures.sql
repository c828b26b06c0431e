-- one row per check of a claim that compares figures, from its rows in `answer`
-- Decimal figures are binary fractions here: 0.37695 is not exactly half a digit from 0.3769. The slack of 1e-12
-- of the figures' size is far below anything printed and far above the rounding of a double. A figure that is
-- undefined or NaN never holds. miss counts tolerances.
with

numbers as (
    select
        item::varchar as item,
        expected::double as expected,
        tolerance::double as tolerance,
        case when not isnan(observed::double) then observed::double end as observed
    from answer
),

with_distances as (
    select
        *,
        abs(observed - expected) as distance,
        1e-12 * greatest(abs(observed), abs(expected)) as slack
    from numbers
)

select
    item,
    null as statement,
    expected,
    tolerance,
    observed,
    coalesce(distance <= tolerance + slack, false) as holds,
    case when distance <= slack then 0 when tolerance > 0 then distance / tolerance else 'inf' end as miss
from with_distances
