-- id: critique.mean_about_1
-- title: Norm weights average about 1.0, and that is what lifts the cosine.
-- documents: critique_results
-- section: Experiment 6, 6 interpretation
-- evidence: weights
-- needs: solar, glm, phi, mixtral
-- version: 1
-- reading: The four models of the experiment and their input norms at layer 10, where it compares models.
--   "About 1.0": each mean rounds to it, so is within half of the printed digit. As it is said of norm
--   weights in general, @all_layers takes every layer. Observed is the mean furthest from 1.0. That a mean
--   lifts the cosine whatever its value, as long as the spread is small beside it, is mathematics and not
--   checked here.
with

claimed as (
    select item, model_a as model, min(value) as value, min(half_digit) as half_digit
    from printed
    where item = 'critique.exp6.mean_about_1'
    group by item, model_a
),

means as (
    select model, layer, mean
    from vector_stats
    where ln_type = 'input_layernorm' and model in ('solar', 'glm', 'phi', 'mixtral')
),

compared as (
    select
        claimed.item || reading as item,
        words,
        means.mean,
        abs(means.mean - claimed.value) as distance,
        distance <= claimed.half_digit as is_close
    from claimed
    cross join (
        values ('', 10, 'layer 10'), ('@all_layers', null, 'any layer')
    ) as readings (reading, only_layer, words)
    left join means on means.model = claimed.model and (only_layer is null or means.layer = only_layer)
)

select
    item,
    'the input norm''s mean rounds to 1.0 in all four models at ' || words as statement,
    bool_and(coalesce(is_close, false)) as holds,
    arg_max(mean, distance) as observed
from compared
group by item, words
order by item
