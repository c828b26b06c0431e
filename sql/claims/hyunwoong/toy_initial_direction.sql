-- id: hyunwoong.toy_initial_direction
-- title: Norm weights that begin random and of mixed sign keep their first direction through training.
-- documents: hyunwoong
-- section: 2 discussion 2
-- evidence: toy
-- needs: toy_rand_a, toy_rand_b, toy_rand_a_init, toy_rand_b_init
-- version: 3
-- reading: The weights before training must be in the lake as models of their own, toy_rand_a_init and
--   toy_rand_b_init. Every vector of both norms begins with weights of both signs and ends with a cosine of
--   at least 0.9 to its beginning, the level that the document calls high between models. Observed is the
--   lowest. Undefined unless both models learned their sequences, as theirs did.
-- history: v2: a reading for models that learned
-- history: v3: every reading requires that our models learned, so one reading is left
with

high as (
    select min(low) as cosine
    from printed
    where item like 'hyunwoong.s2.cross_cosine_gt_0_9.%'
),

beginnings as (
    select max(min) < 0 and min(max) > 0 as has_both_signs
    from vector_stats
    where
        model in ('toy_rand_a_init', 'toy_rand_b_init')
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

kept as (
    select min(cosine) as cosine, bool_and(coalesce(has_learned, false)) as have_learned
    from matched_layers
    left join toy_losses on toy_losses.model = model_b
    where
        ln_type in ('input_layernorm', 'post_attention_layernorm')
        and model_a in ('toy_rand_a_init', 'toy_rand_b_init') and model_b in ('toy_rand_a', 'toy_rand_b')
        and model_a = model_b || '_init'
)

select
    'hyunwoong.toy.rand_keeps_initial_direction' as item,
    'plain' as reading,
    'all begin with both signs and end nearly parallel to their beginning' as statement,
    case when have_learned then has_both_signs and kept.cosine >= high.cosine end as holds,
    case when have_learned then kept.cosine end as observed
from kept, high, beginnings
