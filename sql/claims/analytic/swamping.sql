-- id: analytic.swamping
-- title: In floating point a small δ added to a much larger α is lost; this is swamping.
-- documents: sionic_ko, sionic_en
-- section: Scale
-- evidence: analytic
-- needs:
-- version: 1
-- reading: A format with p bits of significand has steps of 2^(e + 1 − p) from 2^e on; half a step is rounded
--   away (ties go to even). For BF16 (p = 8), FP16 (11) and FP32 (24) at α = 1, 0.5 and 0.3 the sum of α (first
--   rounded itself) and half a step must round back to α, that of α and one step must not. The document calls
--   this swamping or catastrophic cancellation. It is the first: δ is gone although the sum has all the
--   relative accuracy of the format, an error of at most 2^-p. Cancellation is another thing, the loss of
--   relative accuracy when nearly equal numbers are subtracted. Observed is the number of cases, out of nine,
--   in which δ is lost; then the largest relative error in units of 2^-p.
with

formats as (
    select unnest([8, 11, 24]) as p
),

cases as (
    select
        p,
        2.0 ** (floor(log2(x)) + 1 - p) as step,
        -- an even multiple of the step, so that half a step is a tie that goes back
        2 * round_even(x / step / 2, 0) * step as alpha
    from formats
    cross join (select unnest([1.0, 0.5, 0.3]) as x)
),

sums as (
    select
        p,
        alpha,
        step / 2 as delta,
        round_even((alpha + step / 2) / step, 0) * step as with_half_step,
        round_even((alpha + step) / step, 0) * step as with_step
    from cases
),

outcomes as (
    select
        count_if(with_half_step = alpha and with_step <> alpha) as lost,
        count(*) as cases,
        max(abs(with_half_step - (alpha + delta)) / (alpha + delta) * 2.0 ** p) as relative_error
    from sums
)

select
    'sionic.scale.swamping' as item,
    'half a step is lost and a whole one kept, in every format' as statement,
    lost = cases as holds,
    lost as observed
from outcomes
union all
select
    'sionic.scale.swamping_is_cancellation' as item,
    'δ is lost although the sum is as accurate as the format allows' as statement,
    lost = cases and relative_error <= 1 as holds,
    relative_error as observed
from outcomes
order by item
