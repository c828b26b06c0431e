-- one row per norm, model, every third layer and bin of a histogram
-- how the weights of two models are distributed, by depth
--
-- bin: lower end of the bin; 60 bins from -0.2 to 2.0
-- density: share of all values of the layer in the bin, by width of bin
-- outside: share of all values that are beyond the range
with

chosen as (
    select unnest([
        coalesce(getvariable('model_a'), 'solar'), coalesce(getvariable('model_b'), 'glm')
    ]) as model
),

every_third_layer as (
    select model, ln_type, layer, value
    from norms
    semi join chosen using (model)
    where ln_type in ('input_layernorm', 'post_attention_layernorm') and layer % 3 = 0
),

binned as (
    select
        ln_type, model, layer,
        least(floor((value + 0.2) / (2.2 / 60)), 59) as n,
        value between -0.2 and 2.0 as is_inside
    from every_third_layer
),

vectors_seen as (
    select
        ln_type, model, layer,
        count(*) as values,
        1 - count_if(is_inside) / count(*) as outside
    from binned
    group by all
),

bins as (
    select ln_type, model, layer, n, count(*) as hits
    from binned
    where is_inside
    group by all
)

select
    ln_type, model, layer,
    round(-0.2 + r.n * 2.2 / 60, 4) as bin,
    round(coalesce(hits, 0) / values / (2.2 / 60), 3) as density,
    round(outside, 5) as outside
from vectors_seen
cross join range(0, 60) as r (n)
left join bins using (ln_type, model, layer, n)
order by ln_type, model, layer, bin
