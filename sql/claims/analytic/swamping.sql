-- id: analytic.swamping
-- title: In floating point a small δ added to a much larger α is lost; this is swamping.
-- documents: sionic_ko, sionic_en
-- section: Scale
-- evidence: analytic
-- needs:
-- version: 2
-- reading: A format with p bits of significand has steps of 2^(e + 1 − p) from 2^e on; half a step is rounded
--   away (ties go to even). For BF16 (p = 8), FP16 (11) and FP32 (24) at α = 1, 0.5 and 0.3 the sum of α (first
--   rounded itself) and half a step must round back to α, that of α and one step must not. The document says
--   that this can be viewed as swamping or catastrophic cancellation. Plain: as one of the two, and it is the
--   first, δ is gone. The reading cancellation takes the two as names of one thing. Cancellation is the loss of
--   relative accuracy when nearly equal numbers are subtracted, so the sum would have to be less accurate than
--   the format allows, by more than 2^-p. Observed is the number of cases, out of nine, in which δ is lost;
--   for the reading cancellation the largest relative error in units of 2^-p.
-- history: v2: that it is swamping and that it is cancellation are two readings; the second does not hold
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
    unnest([
        'sionic.scale.swamping', 'sionic.scale.swamping_is_cancellation', 'sionic.scale.swamping_is_cancellation'
    ]) as item,
    unnest(['plain', 'plain', 'cancellation']) as reading,
    unnest([
        'half a step is lost and a whole one kept, in every format',
        'δ is lost to a larger α, which is swamping',
        'the sum has lost accuracy relative to itself, which is cancellation'
    ]) as statement,
    unnest([lost = cases, lost = cases, relative_error > 1]) as holds,
    unnest([lost, lost, relative_error]) as observed
from outcomes
