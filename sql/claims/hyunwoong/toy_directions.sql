-- id: hyunwoong.toy_directions
-- title: After training, norms of two unrelated models still point where they were initialised.
-- documents: hyunwoong
-- section: 2 discussion 2
-- evidence: toy
-- needs: toy_ones_a, toy_ones_b, toy_rand_a, toy_rand_b
-- version: 3
-- reading: All layers of both norms (GPT-2's ln_1 as input_layernorm, ln_2 as post_attention_layernorm).
--   Ones: every cosine of the two models rounds to the printed level or above. Along the ones vector: so does
--   every norm's cosine with (1, 1, …), which is its offset_part. Random: every cosine is within four standard
--   deviations of unrelated vectors, 1 / sqrt(d), of 0. Observed is the value furthest off.
--   Undefined unless both models of the kind learned their sequences, as theirs did.
-- history: v2: a reading for models that learned; levels may be rounded; chance correlations are left to
--   hyunwoong.toy_conclusions; weights need not stay positive, of which the document says nothing
-- history: v3: every reading requires that our models learned, so one reading is left
with

level as (
    select min(value) - max(half_digit) as cosine
    from printed
    where item = 'hyunwoong.toy.ones_about_0_999'
),

learned as (
    select
        count_if(model in ('toy_ones_a', 'toy_ones_b')) = 2 as ones,
        count_if(model in ('toy_rand_a', 'toy_rand_b')) = 2 as rand
    from toy_losses
    where has_learned
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
    'plain' as reading,
    statement,
    case when has_learned then holds end as holds,
    case when has_learned then observed end as observed
from checks
order by item
