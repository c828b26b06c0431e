-- id: analytic.small_variance
-- title: Centred cosine can become unstable when the variance is very small.
-- documents: hyunwoong
-- section: 3 discussion 4
-- evidence: analytic
-- needs:
-- version: 2
-- reading: What a stored vector has of its pattern: 4096 values 1 + s·sin(i), rounded to BF16 (8 bits of
--   significand: steps of 2^-7 above 1 and 2^-8 below), against the same values unrounded. Unstable means that
--   rounding alone takes the centred cosine below 0.99. It must stay above for a standard deviation of 0.07
--   (s = 0.1) and fall below for 0.002 (s = 0.003), less than a step; for s = 0.0005 all values round to 1 and
--   there is no centred cosine at all. Observed is the one for s = 0.003.
-- history: v2: names the reading of each row
with

scales as (
    select unnest([0.1, 0.003, 0.0005]) as scale
),

values_and_steps as (
    select
        scale,
        1 + scale * sin(i) as exact,
        2.0 ** (floor(log2(exact)) - 7) as step
    from scales
    cross join range(4096) as dims (i)
),

rounded as (
    select scale, exact, round_even(exact / step, 0) * step as stored
    from values_and_steps
),

correlated as (
    select
        scale,
        case when stddev_pop(stored) > 0 then corr(exact, stored) end as r
    from rounded
    group by scale
)

select
    'hyunwoong.s3.unstable_when_variance_small' as item,
    'plain' as reading,
    'rounding to BF16 spoils it for a small variance and not for a large one' as statement,
    max(r) filter (scale = 0.1) > 0.99
    and max(r) filter (scale = 0.003) < 0.99
    and count(r) filter (scale = 0.0005) = 0 as holds,
    max(r) filter (scale = 0.003) as observed
from correlated
