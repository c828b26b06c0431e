-- one row per reading that is not as it was, from the table `runs` of readings and the variables earlier and later
-- A run may have asked a few claims only: what it left out is taken from the last run before it that asked.
-- moved: the first difference that can explain it: query, weights, or printed figure. Threads add in any order,
-- so an observed figure may move in its last digits without a change.
with

readings as (
    select * replace (coalesce(reading, 'plain') as reading)
    from runs
),

last_asked as (
    select claim, max(run) as run
    from readings
    where run <= getvariable('earlier')
    group by claim
),

earlier as (
    select readings.*
    from readings
    inner join last_asked using (claim, run)
),

later as (
    select *
    from readings
    where run = getvariable('later')
),

compared as (
    select
        coalesce(later.claim, earlier.claim) as claim,
        coalesce(later.item, earlier.item) as item,
        coalesce(later.reading, earlier.reading) as reading,
        earlier.verdict as verdict_before,
        later.verdict as verdict_after,
        earlier.observed as observed_before,
        later.observed as observed_after,
        case
            when earlier.claim is null then 'not in the earlier run'
            when later.claim is null then 'not in the later run'
            when earlier.sql_sha256 <> later.sql_sha256 and earlier.fingerprint <> later.fingerprint
                then 'query and data'
            when earlier.sql_sha256 <> later.sql_sha256 then 'query'
            when earlier.fingerprint <> later.fingerprint then 'data'
            when ((earlier.expected, earlier.tolerance) is distinct from (later.expected, later.tolerance))
                then 'printed figure'
            else 'unknown'
        end as moved,
        (
            (earlier.verdict, earlier.holds, earlier.expected, earlier.tolerance, earlier.observed is null)
            is distinct from (later.verdict, later.holds, later.expected, later.tolerance, later.observed is null)
        )
        or abs(later.observed - earlier.observed)
        > 1e-12 + 1e-9 * greatest(abs(later.observed), abs(earlier.observed)) as is_changed
    from earlier
    full join later
        on later.claim = earlier.claim and later.item = earlier.item and later.reading = earlier.reading
)

select claim, item, reading, verdict_before, verdict_after, observed_before, observed_after, moved
from compared
where is_changed
order by claim, item, reading
