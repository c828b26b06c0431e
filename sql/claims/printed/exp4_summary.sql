-- id: printed.exp4_summary
-- title: The totals of experiment 4 follow from its six rows.
-- documents: critique_results
-- section: Experiment 4
-- evidence: printed
-- needs:
-- version: 2
-- reading: Six layers with six pairs each. The overall mean is the mean of the layer means; the overall
--   variance is the mean of the layer variances plus the variance of the layer means, as populations. Tolerance
--   as for any mean or standard deviation of rounded numbers: two half digits. The count is exact.
-- history: v2: names its reading
with

layer_figures as (
    select distinct layer_a as layer, aggregate, value, half_digit
    from printed
    where section = 'Experiment 4' and metric = 'cosine' and scope = 'moe_pairs'
),

layers as (
    select
        layer,
        max(value) filter (aggregate = 'mean') as mean,
        max(value) filter (aggregate = 'std') as std,
        max(half_digit) as half_digit
    from layer_figures
    group by layer
),

pairs as (
    select count(distinct(model_a, model_b)) as pairs
    from printed
    where section = 'Experiment 3' and metric = 'cosine' and aggregate is null
),

totals as (
    select
        count(*) * any_value(pairs) as comparisons,
        avg(mean) as mean,
        sqrt(avg(std ** 2) + var_pop(mean)) as std,
        stddev_pop(mean) as std_of_means,
        max(half_digit) as half_digit
    from layers
    cross join pairs
),

claimed as (
    select distinct item, metric, value, half_digit
    from printed
    where section = 'Experiment 4' and scope in ('moe_pairs_layers_5_to_30', 'moe_pairs_layer_means')
)

select
    claimed.item,
    'plain' as reading,
    claimed.value as expected,
    case claimed.metric when 'count' then 0 else claimed.half_digit + totals.half_digit end as tolerance,
    case claimed.item
        when 'critique.exp4.count_36' then totals.comparisons
        when 'critique.exp4.overall_mean' then totals.mean
        when 'critique.exp4.overall_std' then totals.std
        when 'critique.exp4.std_of_layer_means' then totals.std_of_means
    end as observed
from claimed
cross join totals
order by claimed.item
