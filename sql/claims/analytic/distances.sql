-- id: analytic.distances
-- title: The definitions of mean_abs_diff, p99_abs_diff, rel_l2 and cv_diff, by what must follow from them.
-- documents: hyunwoong
-- section: 4.2, 4.3, 4.4, 4.5
-- evidence: analytic
-- needs:
-- version: 2
-- reading: On 4096 values, a = 1 + sin(i)/10 and b = 2 + cos(2i)/5. mean |a − b| lies between |mean a − mean b|
--   and the root mean square of a − b. |Q99(|a|) − Q99(|b|)|, at the printed percentile, is 0 for a vector and
--   its reversal, unlike the 99 % quantile of |a − b|: it compares tails, not dimensions. ‖a − b‖ / ‖a‖ squared
--   is 1 + k² − 2·k·cos with k = ‖b‖ / ‖a‖, and swapping the models multiplies it by 1 / k, so it is not
--   symmetric. |CV(a) − CV(b)| with CV = std/|mean| is 0 for a vector and a multiple of it. Up to the rounding
--   of doubles, 1e-12. Observed is the deviation; for the asymmetry, the ratio of the two directions.
-- history: v2: names the reading of each row
with

percentile as (
    select max(value) / 100 as p
    from printed
    where item = 'hyunwoong.s4_3.p99_definition'
),

vectors as (
    select
        unnest(range(4096)) as i,
        1 + sin(i) / 10 as a,
        1 + sin(4095 - i) / 10 as reversed_a,
        2 + cos(2 * i) / 5 as b
),

quantiles as (
    select
        quantile_cont(abs(a), 0.99) - quantile_cont(abs(reversed_a), 0.99) as of_tails,
        quantile_cont(abs(a - reversed_a), 0.99) as of_differences
    from vectors
),

measures as (
    select
        avg(abs(a - b)) as mean_abs_diff,
        abs(avg(a) - avg(b)) as least_possible,
        sqrt(avg((a - b) ** 2)) as most_possible,
        sqrt(sum((a - b) ** 2) / sum(a * a)) as rel_l2,
        sqrt(sum((a - b) ** 2) / sum(b * b)) as rel_l2_swapped,
        sqrt(sum(b * b) / sum(a * a)) as k,
        sum(a * b) / sqrt(sum(a * a) * sum(b * b)) as cosine,
        stddev_pop(a) / abs(avg(a)) - stddev_pop(-3 * a) / abs(avg(-3 * a)) as cv_of_multiple
    from vectors
)

select
    unnest([
        'hyunwoong.s4_2.mad_definition',
        'hyunwoong.s4_3.p99_definition',
        'hyunwoong.s4_4.rel_l2_definition',
        'hyunwoong.s4_4.rel_l2_asymmetric',
        'hyunwoong.s4_5.cv_definition'
    ]) as item,
    'plain' as reading,
    unnest([
        'it lies between the difference of the means and the root mean square',
        'a vector and its reversal have none, though they differ by dimension',
        'it follows from the cosine and the ratio of the lengths',
        'the two directions differ, by the ratio of the lengths',
        'a vector and a multiple of it have none'
    ]) as statement,
    unnest([
        mean_abs_diff between least_possible - 1e-12 and most_possible + 1e-12,
        p = 0.99 and abs(of_tails) < 1e-12 and of_differences > 0.1,
        abs(rel_l2 ** 2 - (1 + k ** 2 - 2 * k * cosine)) < 1e-12,
        abs(rel_l2 / rel_l2_swapped - k) < 1e-12 and abs(k - 1) > 0.1,
        abs(cv_of_multiple) < 1e-12
    ]) as holds,
    unnest([
        mean_abs_diff,
        of_tails,
        rel_l2 ** 2 - (1 + k ** 2 - 2 * k * cosine),
        rel_l2 / rel_l2_swapped,
        cv_of_multiple
    ]) as observed
from measures
cross join quantiles
cross join percentile
