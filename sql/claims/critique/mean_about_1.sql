-- id: critique.mean_about_1
-- title: A cosine can be under the influence of the mean, which is put at about 1.0.
-- documents: critique_results
-- section: Experiment 6, 6 interpretation
-- evidence: weights
-- needs: solar, glm, phi, mixtral
-- version: 3
-- reading: An aside: a cosine "can be influenced by the mean (~1.0)", beside a random baseline with a mean of 1.0.
--   What it says is the influence: of the six cosines of the models of experiment 6 at layer 10, input norm, more
--   than half is the offset share, which the means alone give; observed is the smallest ratio of the two.
--   of_the_models: the figure is taken as the mean of these models' weights, and with much room, from 0.5 to
--   1.5; observed is the mean furthest from 1.0.
-- history: v2: room of a half instead of half a digit, and no reading that asks for it at every layer
-- history: v3: the influence is the plain reading of an aside, the mean of the four models one beside it
with

claimed as (
    select item, min(value) as value
    from printed
    where item = 'critique.exp6.mean_about_1'
    group by item
),

shares as (
    select min(offset_share / cosine) as ratio
    from matched_layers
    where
        model_a in ('solar', 'glm', 'phi') and model_b in ('glm', 'phi', 'mixtral')
        and ln_type = 'input_layernorm' and layer = 10
),

means as (
    select arg_max(mean, abs(mean - value)) as furthest, max(abs(mean - value)) as distance, count(*) as models
    from vector_stats
    cross join claimed
    where ln_type = 'input_layernorm' and layer = 10 and model in ('solar', 'glm', 'phi', 'mixtral')
)

select
    item, 'plain' as reading, 'the means alone give most of each cosine' as statement,
    ratio > 0.5 as holds, ratio as observed
from claimed
cross join shares
union all
select
    item, 'of_the_models', 'the mean is between 0.5 and 1.5 in each of the four models',
    distance <= 0.5 and models = 4, furthest
from claimed
cross join means
order by reading desc
