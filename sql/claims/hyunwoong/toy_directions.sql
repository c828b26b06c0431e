-- id: hyunwoong.toy_directions
-- title: After training, norms of two unrelated models still point where they were initialised.
-- documents: hyunwoong
-- section: 2 discussion 2
-- evidence: toy
-- needs: toy_ones_a, toy_ones_b, toy_rand_a, toy_rand_b
-- version: 2
-- reading: All layers of both norms (GPT-2's ln_1 as input_layernorm, ln_2 as post_attention_layernorm).
--   Ones: every cosine of the two models rounds to the printed level or above. Along the ones vector: so does
--   every norm's cosine with (1, 1, …), which is its offset_part. Random: every cosine is within four standard
--   deviations of unrelated vectors, 1 / sqrt(d), of 0. Observed is the value furthest off. Plain: after
--   training, 300 steps as in the document. converged: only if both models learned their sequence (last loss
--   below 0.1), as all of theirs did. Of our four only toy_rand_a did (hyunwoong.toy_training), so that is
--   undefined here.
-- history: v2: a reading for models that learned; levels may be rounded; chance correlations are left to
--   hyunwoong.toy_conclusions; weights need not stay positive, of which the document says nothing
with

level as (
    select min(value) - max(half_digit) as cosine
    from printed
    where item = 'hyunwoong.toy.ones_about_0_999'
),

learned as (
    select
        count_if(starts_with(model, 'toy_ones_')) = 2 as ones,
        count_if(starts_with(model, 'toy_rand_')) = 2 as rand
    from toy_losses
    where last_loss < 0.1
),

between_models as (
    select
        min(cosine) filter (model_a = 'toy_ones_a') as lowest_ones,
        arg_max(cosine, abs(cosine)) filter (model_a = 'toy_rand_a') as furthest_rand,
        max(abs(cosine) * sqrt(d)) filter (model_a = 'toy_rand_a') as rand_sigmas
    from matched_layers
    where
        ln_type in ('input_layernorm', 'post_attention_layernorm')
        and (model_a, model_b) in (('toy_ones_a', 'toy_ones_b'), ('toy_rand_a', 'toy_rand_b'))
),

along_ones as (
    select min(offset_part) as lowest
    from vector_stats
    where
        model in ('toy_ones_a', 'toy_ones_b') and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

checks (item, has_learned, statement, holds, observed) as (
    select
        'ones_about_0_999', ones, 'ones: every cosine reaches the printed level',
        lowest_ones >= level.cosine, lowest_ones
    from between_models, level, learned
    union all
    select 'rand_about_0', rand, 'random: every cosine is what chance gives', rand_sigmas <= 4, furthest_rand
    from between_models, learned
    union all
    select
        'ones_stays_along_ones_vector', ones, 'ones: all norms stay nearly parallel to (1, 1, …)',
        lowest >= level.cosine, lowest
    from along_ones, level, learned
)

select
    'hyunwoong.toy.' || item as item,
    reading,
    statement,
    case when reading = 'plain' or has_learned then holds end as holds,
    case when reading = 'plain' or has_learned then observed end as observed
from checks
cross join (values ('plain'), ('converged')) as readings (reading)
order by item, reading desc
