-- id: hyunwoong.toy_conclusions
-- title: The init experiment shows that a high cosine of norms needs nothing but a common start.
-- documents: hyunwoong
-- section: 2 discussion 2
-- evidence: toy
-- needs: toy_ones_a, toy_ones_b, toy_rand_a, toy_rand_b
-- version: 2
-- reading: All layers of both norms, only if all four of our models learned their sequences, as theirs did. From
--   the start, not from training: without the means, which are what a start at ones gives two norms in common,
--   no correlation of the two models is further from 0 than four standard deviations of unrelated vectors, in
--   either kind; observed is the one furthest from 0. No reliable evidence: one counterexample decides it, so it
--   holds if models that share neither seed nor sequence reach, in every layer, the cosine that the document
--   calls high between the released models; observed is the lowest. That large models behave like small ones is
--   not shown.
-- history: v2: undefined unless our models learned
with

high as (
    select min(low) as cosine
    from printed
    where item like 'hyunwoong.s2.cross_cosine_gt_0_9.%'
),

learned as (
    select count_if(has_learned) = 4 as all_four
    from toy_losses
    where model in ('toy_ones_a', 'toy_ones_b', 'toy_rand_a', 'toy_rand_b')
),

between_models as (
    select
        min(cosine) filter (model_a = 'toy_ones_a') as lowest_ones,
        arg_max(pearson, abs(pearson)) as furthest,
        max(abs(permutation_z)) as sigmas
    from matched_layers
    where
        ln_type in ('input_layernorm', 'post_attention_layernorm')
        and (model_a, model_b) in (('toy_ones_a', 'toy_ones_b'), ('toy_rand_a', 'toy_rand_b'))
),

checks (item, statement, holds, observed) as (
    select 'direction_from_start', 'without the means all is what chance gives', sigmas <= 4, furthest
    from between_models
    union all
    select
        'no_reliable_evidence', 'unrelated models begun with ones have cosines that are called high',
        lowest_ones >= high.cosine, lowest_ones
    from between_models, high
)

select
    'hyunwoong.toy.' || item as item,
    'plain' as reading,
    statement,
    case when all_four then holds end as holds,
    case when all_four then observed end as observed
from checks
cross join learned
order by item
