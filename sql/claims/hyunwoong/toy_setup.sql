-- id: hyunwoong.toy_setup
-- title: Four small GPT-2 models are trained, each from a seed and on a sequence of its own.
-- documents: hyunwoong
-- section: 2 discussion 2
-- evidence: toy
-- needs: toy_ones_a, toy_ones_b, toy_rand_a, toy_rand_b
-- version: 1
-- reading: How the document set up its experiment, and how ours is set up therefore: no evidence for anything.
--   Different seeds: no two models of the lake have the same norm weights; observed is how many there are.
--   Different sequences: no two learned the same; observed is how many sequences there are.
with

figures as (
    select distinct item
    from printed
    where item in ('hyunwoong.toy.four_models', 'hyunwoong.toy.different_sequences')
),

checksums as (
    select model, string_agg(sha256, ' ' order by ln_type, layer) as checksum
    from tensors
    where model in ('toy_ones_a', 'toy_ones_b', 'toy_rand_a', 'toy_rand_b')
    group by model
),

models_seen as (
    select count(*) as models, count(distinct checksum) as different
    from checksums
),

streams_seen as (
    select count(*) as models, count(distinct stream) as different
    from toy_losses
    where model in ('toy_ones_a', 'toy_ones_b', 'toy_rand_a', 'toy_rand_b')
),

checks (item, statement, holds, observed) as (
    select
        'hyunwoong.toy.four_models', 'no two models have the same norms',
        different = models, nullif(different, 0)
    from models_seen
    union all
    select
        'hyunwoong.toy.different_sequences', 'no two models learned the same sequence',
        different = models, nullif(different, 0)
    from streams_seen
)

select figures.item, 'plain' as reading, checks.statement, checks.holds, checks.observed
from figures
left join checks using (item)
order by figures.item desc
