-- one row per published measurement of one or two vectors, and per summary of them over the layers of two models
-- what `measured_elsewhere` joins with the figures of the documents
--
-- place: the file that has it
-- scope: NULL for single vectors
-- aggregate: mean, std, min or max over the layers of `scope`
-- layers: how many they are
with

single as (
    select source, file as place, model_a, layer_a, model_b, layer_b, ln_type, metric, value
    from measured
    union all
    -- 64² values, as both models have
    select
        source, file, model_a, layer_a, model_b, layer_b, ln_type, 'l2_norm',
        64 * sqrt(sum(value ** 2))
    from measured
    where metric in ('mean', 'std')
    group by all
),

-- GLM has 46 layers without its MTP layer, 45 of them with a router; a few layers are not all
summed_up as (
    select
        source, place, model_a, model_b, ln_type, metric,
        case when model_b is null then 'all_layers' else 'matched_layers' end as scope, count(*) as layers,
        avg(value) as mean, stddev_pop(value) as std, min(value) as min, max(value) as max
    from single
    where layer_b is null or layer_a = layer_b and model_a <> model_b
    group by all
    having layers >= 45
),

baseline as (
    select source, place, model_a, model_b, ln_type, metric, 'layers_10_20_30_40' as scope, avg(value) as mean
    from single
    where layer_a = layer_b and model_a <> model_b and layer_a in (10, 20, 30, 40)
    group by all
    having count(*) = 4
)

select
    source, place, model_a, layer_a, model_b, layer_b, ln_type, metric,
    null::varchar as scope, null::varchar as aggregate, null::bigint as layers, value
from single
union all
select source, place, model_a, null, model_b, null, ln_type, metric, scope, aggregate, layers, value
from (unpivot summed_up on mean, std, min, max into name aggregate value value)
union all
select source, place, model_a, null, model_b, null, ln_type, metric, scope, 'mean', null, mean
from baseline
