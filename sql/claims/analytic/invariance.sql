-- id: analytic.invariance
-- title: Cosine ignores scale, Pearson ignores scale and offset, and so neither sees size or tails.
-- documents: sionic_ko, sionic_en, hyunwoong
-- section: A.4, 2 discussion 2, 2 discussion 3, 3 discussion 4
-- evidence: analytic
-- needs:
-- version: 2
-- reading: On two vectors of 4096 values, a = 1 + sin(i)/10 and b = 1 + cos(2i)/10: the metric must not move by
--   more than the rounding of doubles, 1e-12, when b becomes 7·b (cosine) or 7·b + 3 (Pearson). The tail: under
--   the same map the 99 % quantile of |b| grows more than sevenfold while the centred cosine stays. Observed
--   is the change of the metric.
-- history: v2: names the reading of each row
with

vectors as (
    select unnest(range(4096)) as i, 1 + sin(i) / 10 as a, 1 + cos(2 * i) / 10 as b
),

changes as (
    select
        abs(
            sum(a * 7 * b) / sqrt(sum(a * a) * sum((7 * b) ** 2))
            - sum(a * b) / sqrt(sum(a * a) * sum(b * b))
        ) as cosine_change,
        abs(corr(a, 7 * b + 3) - corr(a, b)) as pearson_change,
        quantile_cont(abs(7 * b + 3), 0.99) / quantile_cont(abs(b), 0.99) as tail_growth
    from vectors
)

select
    unnest([
        'hyunwoong.s2.cosine_ignores_scale',
        'sionic.a4.pearson_scale_invariant',
        'hyunwoong.s3.ignores_scale_and_tail'
    ]) as item,
    'plain' as reading,
    unnest([
        'the cosine of a and 7·b is that of a and b',
        'Pearson of a and 7·b + 3 is that of a and b',
        'the tail of b grows sevenfold and more, the centred cosine stays'
    ]) as statement,
    unnest([
        cosine_change < 1e-12,
        pearson_change < 1e-12,
        pearson_change < 1e-12 and tail_growth > 7
    ]) as holds,
    unnest([cosine_change, pearson_change, pearson_change]) as observed
from changes
