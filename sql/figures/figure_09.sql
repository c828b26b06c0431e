-- one row per norm, model, every third layer and bin of a histogram
-- how the weights of two models are distributed, by depth
--
-- bin: lower end of the bin; as wide as 60 bins from -0.2 to 2.0, which is the range that is drawn at least
-- density: share of all values of the layer in the bin, by width of bin
-- outside: share of all values that are beyond the range; it ends above 99.9 % of the values of every layer, at
--   most at 6
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

by_layer as (
    select quantile_cont(value, 0.999) as high
    from every_third_layer
    group by ln_type, model, layer
),

reach as (
    select greatest(60, least(169, ceil((max(high) + 0.2) / (2.2 / 60)))) as bins
    from by_layer
),

binned as (
    select
        ln_type, model, layer,
        floor((value + 0.2) / (2.2 / 60)) as n,
        n >= 0 and n < bins as is_inside
    from every_third_layer
    cross join reach
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
cross join reach
cross join unnest(range(0, bins::integer)) as r (n)
left join bins using (ln_type, model, layer, n)
order by ln_type, model, layer, bin
