-- id: critique.mean_about_1
-- title: The norm weights whose cosines are compared average about 1.0.
-- documents: critique_results
-- section: Experiment 6, 6 interpretation
-- evidence: weights
-- needs: solar, glm, phi, mixtral
-- version: 2
-- reading: Said in passing, where experiment 6 explains the cosines of these four models at layer 10; so their
--   input norms there are meant. "About 1.0" is given much room: each mean is nearer to 1 than to 0 or 2, so
--   from 0.5 to 1.5. Observed is the mean furthest from 1.0. That the mean lifts the cosine, whatever its
--   value, as long as the spread is small beside it, is another item (analytic.offset_and_pattern).
-- history: v2: room of a half instead of half a digit, and no reading that asks for it at every layer
with

claimed as (
    select item, model_a as model, min(value) as value
    from printed
    where item = 'critique.exp6.mean_about_1'
    group by item, model_a
),

means as (
    select model, mean
    from vector_stats
    where ln_type = 'input_layernorm' and layer = 10 and model in ('solar', 'glm', 'phi', 'mixtral')
),

compared as (
    select claimed.item, means.mean, abs(means.mean - claimed.value) as distance
    from claimed
    left join means using (model)
)

select
    item,
    'plain' as reading,
    'the mean is between 0.5 and 1.5 in each of the four models' as statement,
    bool_and(coalesce(distance <= 0.5, false)) as holds,
    arg_max(mean, distance) as observed
from compared
group by item
