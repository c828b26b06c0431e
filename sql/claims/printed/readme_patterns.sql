-- id: printed.readme_patterns
-- title: The patterns that the README sees: layer 0 is low, three models are alike, models are like layers.
-- documents: critique_readme, critique_now
-- section: Extra checks, Method, Expected results, Observed results, FAQ Q2, FAQ Q3
-- evidence: printed
-- needs:
-- version: 2
-- reading: Distances: experiment 1 spans 10 to 40 layers, experiment 3 none, which is how they are made: a
--   definition. Three pairs alike: the layer-10 cosines of Solar, GLM and Phi differ by less than the standard
--   deviation of all six pairs. Layer 0 is low: its highest cosine is below the lowest of experiment 2.
--   Cross-model at a level similar to the fair baseline: it is ten times nearer to that than to the layer-0
--   baseline. Observed of that is how many times.
-- history: v2: "similar level" is judged by the baselines compared, no longer also by two decimals
with

results as (
    select distinct item, section, model_a, layer_a, model_b, layer_b, aggregate, value
    from printed
    where document = 'critique_results' and metric = 'cosine'
),

by_experiment as (
    select
        min(layer_b - layer_a) filter (section = 'Experiment 1' and layer_b is not null) as nearest_layer,
        max(layer_b - layer_a) filter (section = 'Experiment 1' and layer_b is not null) as furthest_layer,
        max(abs(layer_b - layer_a)) filter (section = 'Experiment 3') as cross_gap,
        max(value) filter (section = 'Experiment 1') as highest_layer_0,
        avg(value) filter (section = 'Experiment 1' and aggregate is null) as layer_0,
        min(value) filter (section = 'Experiment 2') as lowest_fair,
        avg(value) filter (section = 'Experiment 2' and aggregate is null) as fair,
        max(value) filter (item = 'critique.exp3.cosine.solar_glm') as cross_model,
        max(value) filter (item = 'critique.exp3.std') as pair_std
    from results
),

three_pairs as (
    select max(value) - min(value) as spread
    from results
    where section = 'Experiment 3' and aggregate is null and 'mixtral' not in (model_a, model_b)
)

select
    unnest([
        'critique.readme.distances',
        'critique.readme.three_pairs_alike',
        'critique.readme.layer0_lower',
        'critique.readme.cross_like_fair'
    ]) as item,
    'plain' as reading,
    unnest([
        'the baseline spans 10 to 40 layers, the cross-model comparison none',
        'Solar, GLM and Phi differ by less than the standard deviation of six pairs',
        'every layer-0 cosine is below every adjacent-layer cosine',
        'cross-model is ten times nearer to the fair baseline than to layer 0'
    ]) as statement,
    unnest([
        nearest_layer = 10 and furthest_layer = 40 and cross_gap = 0,
        spread < pair_std,
        highest_layer_0 < lowest_fair,
        10 * abs(fair - cross_model) < cross_model - layer_0
    ]) as holds,
    unnest([
        furthest_layer,
        spread,
        highest_layer_0,
        (cross_model - layer_0) / (fair - cross_model)
    ]) as observed
from by_experiment
cross join three_pairs
