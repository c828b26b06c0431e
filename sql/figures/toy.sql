-- one row per kind of start, norm, layer, metric and origin of the figure
-- what two small models trained apart have in common, by how their norms began; beside the printed cosines;
-- and one row (metric learned) with how many of the four learned their task
--
-- start: ones (all norm weights begin at 1) or rand (they begin at random)
-- kind: measured on this lake's small models, or printed by the document for its own
with

chosen (start, model_a, model_b) as (
    values ('ones', 'toy_ones_a', 'toy_ones_b'), ('rand', 'toy_rand_a', 'toy_rand_b')
),

compared as (
    select
        'measured' as kind, start, ln_type, layer,
        round(cosine, 6) as cosine, round(pearson, 6) as pearson, round(offset_share, 6) as offset_share
    from matched_layers
    join chosen using (model_a, model_b)
    where ln_type in ('input_layernorm', 'post_attention_layernorm')
),

measured as (
    from (unpivot compared on cosine, pearson, offset_share into name metric value value)
),

learned as (
    select 'measured' as kind, 'learned' as metric, count_if(has_learned) as value
    from toy_losses
    where model in ('toy_ones_a', 'toy_ones_b', 'toy_rand_a', 'toy_rand_b')
),

stated as (
    select 'printed' as kind, start, ln_type, layer_a as layer, metric, value
    from printed
    join chosen using (model_a, model_b)
    where metric = 'cosine' and layer_a is not null
)

select kind, start, ln_type, layer, metric, value
from (
    from measured
    union all by name
    from stated
    union all by name
    from learned
)
order by kind, metric, start, ln_type, layer
