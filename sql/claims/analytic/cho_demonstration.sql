-- id: analytic.cho_demonstration
-- title: Two random vectors around 1 have a cosine of 0.9999 and no correlation; Pearson takes the mean out.
-- documents: cho, cho_scripts
-- section: The Mathematical Proof, Demonstration, The Correct Metric, 1, demo_cosine_artifact.py
-- evidence: analytic
-- needs:
-- version: 1
-- reading: Unrelated vectors of 4096 values with mean m and standard deviation s have an expected cosine of
--   m² / (m² + s²), and their Pearson correlation has a standard deviation of 1/√4095. README: m = 1, s =
--   0.01. The 0.0012 is one draw and is compared with that deviation. A very small angle: the one of the
--   expected cosine is below 1 degree. The script draws with s = 0.02: very high is above 0.99, low is below
--   0.05 in 19 of 20 draws. 99.9 % is the expected cosine cut off; rounded is the reading that rounds it, to
--   100.0 %. Pearson without the mean: the correlation with a vector does not change if 5 is added to it.
--   Control: over all shifts of a vector of 64 values the mean correlation with another is 0. Both are
--   identities.
with

drawn as (
    select
        max(value) filter (item = 'cho.demo.parameters' and metric = 'std') as spread,
        max(value) filter (item = 'cho.script.noise_0_02') as script_spread,
        max(value) filter (item = 'cho.demo.cosine_0_9999') as cosine,
        max(half_digit) filter (item = 'cho.demo.cosine_0_9999') as half_digit,
        max(value) filter (item = 'cho.demo.pearson_0_0012') as pearson,
        max(value) filter (item = 'cho.script.says_99_9') as in_words,
        max(half_digit) filter (item = 'cho.script.says_99_9') as in_words_half_digit
    from printed
),

expected as (
    select
        *, 1 / (1 + spread ** 2) as expected_cosine, 1 / (1 + script_spread ** 2) as script_cosine,
        1.96 / sqrt(4095) as usual
    from drawn
),

shifts as (
    select
        shift,
        corr(sin(i), cos(2 * ((i + shift) % 64) + 1)) as r,
        corr(sin(i) + 5, cos(i)) - corr(sin(i), cos(i)) as moved
    from range(64) as dims (i)
    cross join range(64) as moves (shift)
    group by shift
),

identities as (
    select abs(avg(r)) as mean_r, max(abs(moved)) as moved
    from shifts
)

select
    unnest([
        'cho.demo.cosine_0_9999', 'cho.demo.pearson_0_0012', 'cho.proof.mean_dominates', 'cho.script.cosine',
        'cho.script.pearson', 'cho.script.says_99_9', 'cho.script.says_99_9', 'cho.metric.pearson_removes_mean',
        'cho.norms.control_0_000'
    ]) as item,
    unnest(['plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'rounded', 'plain', 'plain']) as reading,
    unnest([
        'the expected cosine rounds to it',
        'a draw like that is usual',
        'the angle is below one degree',
        'the expected cosine is above 0.99',
        'a correlation of 0.05 would be unusual',
        'the expected cosine, cut off after three digits, is that',
        'the expected cosine, rounded to three digits, is that',
        'adding to a vector leaves its correlation as it is',
        'over all shifts the mean correlation is 0'
    ]) as statement,
    unnest([
        abs(expected_cosine - cosine) <= half_digit,
        abs(pearson) < usual,
        degrees(acos(expected_cosine)) < 1,
        script_cosine > 0.99,
        usual < 0.05,
        floor(script_cosine * 1000) / 1000 = in_words,
        abs(script_cosine - in_words) <= in_words_half_digit,
        moved < 1e-12,
        mean_r < 1e-12
    ]) as holds,
    unnest([
        expected_cosine, pearson / usual * 1.96, degrees(acos(expected_cosine)), script_cosine, usual,
        floor(script_cosine * 1000) / 1000, script_cosine, moved, mean_r
    ]) as observed
from expected
cross join identities
