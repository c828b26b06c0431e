-- id: analytic.similarity_formulas
-- title: The printed formulas of cosine and Pearson, and the path between them in Figure 0.
-- documents: sionic_ko, sionic_en
-- section: A.4, F.7
-- evidence: analytic
-- needs:
-- version: 2
-- reading: On two vectors of 4096 values, a = 1 + sin(i)/10 and b = 1 + sin(i + 1)/10. Cosine: dot product over
--   lengths, which the law of cosines must give back from the three side lengths. Pearson: the cosine of the
--   centred vectors against covariance over standard deviations. Path: w = v − α·mean(v) must give the cosine
--   at α = 0 and Pearson at α = 1 (the printed ends), and fall on the way. Deviations up to the rounding of
--   doubles, 1e-12, are none. Observed is the deviation.
-- history: v2: names the reading of each row
with

vectors as (
    select unnest(range(4096)) as i, 1 + sin(i) / 10 as a, 1 + sin(i + 1) / 10 as b
),

centred as (
    select a, b, a - avg(a) over () as p, b - avg(b) over () as q from vectors
),

formulas as (
    select
        sum(a * b) / sqrt(sum(a * a) * sum(b * b)) as cosine,
        (sum(a * a) + sum(b * b) - sum((a - b) ** 2)) / (2 * sqrt(sum(a * a) * sum(b * b))) as by_sides,
        sum(p * q) / sqrt(sum(p * p) * sum(q * q)) as centred_cosine,
        covar_pop(a, b) / (stddev_pop(a) * stddev_pop(b)) as pearson
    from centred
),

ends as (
    select max(low) as raw, max(high) as full_centred
    from printed
    where item = 'sionic.f7.fig0_alpha_path'
),

path as (
    select
        alpha,
        sum((a - alpha * (a - p)) * (b - alpha * (b - q)))
        / sqrt(sum((a - alpha * (a - p)) ** 2) * sum((b - alpha * (b - q)) ** 2)) as similarity
    from centred
    cross join (
        select unnest([raw, (raw + full_centred) / 2, full_centred]) as alpha from ends
    )
    group by alpha
),

ordered as (
    select list(similarity order by alpha) as s from path
)

select
    unnest([
        'sionic.f7.raw_cosine_formula',
        'sionic.f7.pearson_formula',
        'sionic.a4.pearson_equals_centered_cosine',
        'sionic.f7.fig0_alpha_path'
    ]) as item,
    'plain' as reading,
    unnest([
        'dot product over lengths obeys the law of cosines',
        'the code for Pearson gives covariance over standard deviations',
        'Pearson is the cosine of the centred vectors',
        'the path begins at the cosine, falls, and ends at Pearson'
    ]) as statement,
    unnest([
        abs(cosine - by_sides) < 1e-12,
        abs(centred_cosine - pearson) < 1e-12,
        abs(centred_cosine - pearson) < 1e-12,
        abs(s[1] - cosine) + abs(s[3] - pearson) < 1e-12 and s[1] > s[2] and s[2] > s[3]
    ]) as holds,
    unnest([
        abs(cosine - by_sides),
        abs(centred_cosine - pearson),
        abs(centred_cosine - pearson),
        abs(s[1] - cosine) + abs(s[3] - pearson)
    ]) as observed
from formulas
cross join ordered
