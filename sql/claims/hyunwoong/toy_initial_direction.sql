-- id: hyunwoong.toy_initial_direction
-- title: Norm weights that begin random and of mixed sign keep their first direction through training.
-- documents: hyunwoong
-- section: 2 discussion 2
-- evidence: toy
-- needs: toy_rand_a, toy_rand_b, toy_rand_a_init, toy_rand_b_init
-- version: 2
-- reading: The weights before training must be in the lake as models of their own, toy_rand_a_init and
--   toy_rand_b_init. Every vector of both norms begins with weights of both signs and ends with a cosine of
--   at least 0.9 to its beginning, the level that the document calls high between models. Observed is the
--   lowest. converged asks it only of models that learned their sequence (last loss below 0.1), as all of
--   theirs did: of ours toy_rand_a, whose norms moved less than those of toy_rand_b, which did not learn.
-- history: v2: a reading for models that learned
with

high as (
    select min(low) as cosine
    from printed
    where item like 'hyunwoong.s2.cross_cosine_gt_0_9.%'
),

beginnings as (
    select model, max(min) < 0 and min(max) > 0 as has_both_signs
    from vector_stats
    where
        model in ('toy_rand_a_init', 'toy_rand_b_init')
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
    group by model
),

kept as (
    select
        model_a as beginning,
        min(cosine) as cosine,
        coalesce(bool_or(last_loss < 0.1), false) as has_learned
    from matched_layers
    left join toy_losses on toy_losses.model = model_b
    where
        ln_type in ('input_layernorm', 'post_attention_layernorm')
        and model_a in ('toy_rand_a_init', 'toy_rand_b_init') and model_b in ('toy_rand_a', 'toy_rand_b')
        and model_a = model_b || '_init'
    group by model_a
),

by_reading as (
    select
        reading,
        min(kept.cosine) as cosine,
        bool_and(beginnings.has_both_signs) as has_both_signs
    from (values ('plain'), ('converged')) as readings (reading)
    left join kept on reading = 'plain' or kept.has_learned
    left join beginnings on beginnings.model = kept.beginning
    group by reading
)

select
    'hyunwoong.toy.rand_keeps_initial_direction' as item,
    reading,
    'all begin with both signs and end nearly parallel to their beginning' as statement,
    has_both_signs and by_reading.cosine >= high.cosine as holds,
    by_reading.cosine as observed
from by_reading
cross join high
order by reading desc
