-- id: hyunwoong.toy_directions
-- title: What two unrelated models share in their norms is the direction they were initialised with.
-- documents: hyunwoong
-- section: 2 discussion 2
-- evidence: toy
-- needs: toy_ones_a, toy_ones_b, toy_rand_a, toy_rand_b
-- version: 1
-- reading: All layers of both norms (GPT-2's ln_1 as input_layernorm, ln_2 as post_attention_layernorm).
--   Ones: every cosine of the two models reaches the printed level. Random: every cosine is within four
--   standard deviations of unrelated vectors, 1 / sqrt(d), of 0. In both kinds the two models have nothing to
--   do with each other, so @pearson: without the means no correlation is more than four standard deviations
--   from 0. Along the ones vector: every norm of the models begun with ones has positive weights only, and at
--   least the printed level as cosine with (1, 1, …), which is its offset_part. Observed is the value
--   furthest off.
with

level as (
    select min(value) as cosine
    from printed
    where item = 'hyunwoong.toy.ones_about_0_999'
),

compared as (
    select model_a = 'toy_ones_a' as is_ones, d, cosine, pearson, permutation_z
    from matched_layers
    where
        ln_type in ('input_layernorm', 'post_attention_layernorm')
        and model_a in ('toy_ones_a', 'toy_rand_a') and model_b in ('toy_ones_b', 'toy_rand_b')
        and (model_a = 'toy_ones_a') = (model_b = 'toy_ones_b')
),

between_models as (
    select
        min(cosine) filter (is_ones) as lowest_ones,
        arg_max(cosine, abs(cosine)) filter (not is_ones) as furthest_rand,
        max(abs(cosine) * sqrt(d)) filter (not is_ones) as rand_sigmas,
        arg_max(pearson, abs(pearson)) filter (is_ones) as ones_pearson,
        max(abs(permutation_z)) filter (is_ones) as ones_z,
        arg_max(pearson, abs(pearson)) filter (not is_ones) as rand_pearson,
        max(abs(permutation_z)) filter (not is_ones) as rand_z
    from compared
),

ones_models as (
    select min(offset_part) as lowest, min(min) as smallest
    from vector_stats
    where
        model in ('toy_ones_a', 'toy_ones_b') and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

checks (item, statement, holds, observed) as (
    select
        'ones_about_0_999', 'ones: every cosine reaches the printed level',
        lowest_ones >= level.cosine, lowest_ones
    from between_models, level
    union all
    select 'ones_about_0_999@pearson', 'ones: every Pearson is what chance gives', ones_z <= 4, ones_pearson
    from between_models
    union all
    select 'rand_about_0', 'random: every cosine is what chance gives', rand_sigmas <= 4, furthest_rand
    from between_models
    union all
    select 'rand_about_0@pearson', 'random: every Pearson is what chance gives', rand_z <= 4, rand_pearson
    from between_models
    union all
    select
        'ones_stays_along_ones_vector', 'ones: all weights positive and nearly parallel to (1, 1, …)',
        smallest > 0 and lowest >= level.cosine, lowest
    from ones_models, level
)

select 'hyunwoong.toy.' || item as item, statement, holds, observed
from checks
order by item
