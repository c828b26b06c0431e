-- id: analytic.sanity_measures
-- title: Three measures: the cosine, the cosine after shuffling, and the cosine without the means.
-- documents: sanity
-- section: method
-- evidence: analytic
-- needs:
-- version: 1
-- reading: On two vectors of 64 values. Original: the cosine does not change with the length of a vector.
--   Shuffled: over all shifts of one vector the mean of the cosine is exactly the offset share, 64·m·m /
--   (‖a‖‖b‖), which no order changes. Centred: it is the Pearson correlation. All three are identities;
--   observed is the largest deviation.
with

shifted as (
    select shift, 1 + sin(i) / 3 as a, 1 + cos(2 * ((i + shift) % 64)) / 3 as b
    from range(64) as dims (i)
    cross join range(64) as moves (shift)
),

measures as (
    select
        shift,
        sum(a * b) / sqrt(sum(a * a) * sum(b * b)) as cosine,
        sum(3 * a * b) / sqrt(sum(9 * a * a) * sum(b * b)) as longer,
        64 * avg(a) * avg(b) / sqrt(sum(a * a) * sum(b * b)) as offset_share,
        (sum(a * b) - 64 * avg(a) * avg(b)) / (64 * stddev_pop(a) * stddev_pop(b)) - corr(a, b) as centred
    from shifted
    group by shift
),

deviations as (
    select
        max(abs(cosine - longer)) as by_length,
        abs(avg(cosine) - avg(offset_share)) as by_shuffling,
        max(abs(centred)) as by_centring
    from measures
)

select
    'sanity.metric.' || unnest(['original', 'shuffled', 'centered']) as item,
    'plain' as reading,
    unnest([
        'the length of a vector does not change its cosine',
        'the mean over all shifts is the offset share',
        'the cosine without the means is the Pearson correlation'
    ]) as statement,
    unnest([by_length < 1e-12, by_shuffling < 1e-12, by_centring < 1e-12]) as holds,
    unnest([by_length, by_shuffling, by_centring]) as observed
from deviations
