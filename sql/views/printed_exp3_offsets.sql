-- one row per model of the critique's experiment 3: the number whose products come nearest to the six cosines
-- are the cosines of a table a matter of one number per model?
--
-- u: what √d·mean / length of the model's norm at layer 10 would be if the patterns added nothing to a cosine
with

cosines as (
    select distinct model_a, model_b, value as cosine
    from printed
    where section = 'Experiment 3' and metric = 'cosine' and aggregate is null
),

both_orders as (
    select model_a as model, ln(cosine) as log_cosine from cosines
    union all
    select model_b as model, ln(cosine) as log_cosine from cosines
),

row_sums as (
    select
        model,
        sum(log_cosine) as row_sum,
        sum(sum(log_cosine)) over () / 2 as total,
        count(*) over () as models
    from both_orders
    group by model
)

-- least squares on the logarithms: the closed form for all pairs of n models
select model, exp((row_sum - total / (models - 1)) / (models - 2)) as u
from row_sums
