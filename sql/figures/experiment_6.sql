-- one row per comparison and metric, input norm
-- random vectors, different models and layers of one model, by three metrics at once
--
-- part: the document's part of the experiment
-- comparison: what is compared
-- std: standard deviation over the random trials; NULL for the rest
-- stated: the figure that the document prints
with

random_vectors as (
    select
        '6-1 random vectors' as part, 'N(1, 0.1) with N(1, 0.1)' as comparison, 1 as n,
        metric, expected_mean as value, expected_std as std
    from random_baseline(4096, 1.0, 0.1, 2)
),

chosen (part, n, model_a, layer_a, model_b, layer_b) as (
    values
    ('6-2 two models', 2, 'solar', 10, 'glm', 10), ('6-2 two models', 3, 'solar', 10, 'phi', 10),
    ('6-2 two models', 4, 'glm', 10, 'mixtral', 10),
    ('6-3 two layers of one model', 5, 'solar', 10, 'solar', 20),
    ('6-3 two layers of one model', 6, 'glm', 10, 'glm', 20),
    ('6-4 layer 0 of one model', 7, 'solar', 0, 'solar', 10),
    ('6-4 layer 0 of one model', 8, 'glm', 0, 'glm', 10)
),

pairs_compared as (
    select part, n, model_a, layer_a, model_b, layer_b, cosine, pearson, l2_distance
    from pairs
    join chosen using (model_a, layer_a, model_b, layer_b)
    where
        ln_type = 'input_layernorm' and layer_a in (0, 10) and layer_b in (10, 20)
        and model_a in ('solar', 'glm') and model_b in ('solar', 'glm', 'phi', 'mixtral')
),

pairs_measured as (
    select *, format('{} {} with {} {}', model_a, layer_a, model_b, layer_b) as comparison
    from (unpivot pairs_compared on cosine, pearson, l2_distance into name metric value value)
),

stated_pairs as (
    select distinct model_a, layer_a, model_b, layer_b, metric, value as stated
    from printed
    where document = 'critique_results' and section in ('6-2', '6-3', '6-4')
),

stated_random as (
    select distinct metric, value as stated
    from printed
    where section = '6-1' and aggregate = 'mean'
),

everything as (
    select part, n, comparison, metric, value, std, stated
    from random_vectors
    left join stated_random using (metric)
    union all by name
    select part, n, comparison, metric, value, stated
    from pairs_measured
    left join stated_pairs using (model_a, layer_a, model_b, layer_b, metric)
)

select part, n, comparison, metric, round(value, 6) as value, round(std, 6) as std, stated
from everything
order by n, metric
