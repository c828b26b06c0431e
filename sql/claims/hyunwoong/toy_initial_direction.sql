-- id: hyunwoong.toy_initial_direction
-- title: Norm weights that begin random and of mixed sign keep their first direction through training.
-- documents: hyunwoong
-- section: 2 discussion 2
-- evidence: toy
-- needs: toy_rand_a, toy_rand_b, toy_rand_a_init, toy_rand_b_init
-- version: 1
-- reading: The weights before training must be in the lake as models of their own, toy_rand_a_init and
--   toy_rand_b_init. Every vector of both norms begins with weights of both signs and ends with a cosine of
--   at least 0.9 to its beginning, the level that the document calls high between models. Observed is the
--   lowest.
with

high as (
    select min(low) as cosine
    from printed
    where item like 'hyunwoong.s2.cross_cosine_gt_0_9.%'
),

beginnings as (
    select max(min) as highest_minimum, min(max) as lowest_maximum
    from vector_stats
    where
        model in ('toy_rand_a_init', 'toy_rand_b_init')
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

kept as (
    select min(cosine) as cosine
    from matched_layers
    where
        ln_type in ('input_layernorm', 'post_attention_layernorm')
        and model_a in ('toy_rand_a_init', 'toy_rand_b_init') and model_b in ('toy_rand_a', 'toy_rand_b')
        and model_a = model_b || '_init'
)

select
    'hyunwoong.toy.rand_keeps_initial_direction' as item,
    'all begin with both signs and end nearly parallel to their beginning' as statement,
    highest_minimum < 0 and lowest_maximum > 0 and kept.cosine >= high.cosine as holds,
    kept.cosine as observed
from kept
cross join beginnings
cross join high
