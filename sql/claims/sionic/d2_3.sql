-- id: sionic.d2_3
-- title: Matched and mismatched Solar and GLM layers have the means and deviations that D-2.3 prints.
-- documents: sionic_ko, sionic_en
-- section: 2, D-2.1, D-2.2, D-2.3
-- evidence: weights
-- needs: solar, glm
-- version: 3
-- history: v2: brackets around what `case` compares, which sqlfluff cannot read without; no figure changed
-- history: v3: names the reading; a figure may be cut off as well as rounded
-- reading: Layers 0 to 46 of both models, as D-2.2 counts 47×47 − 47 mismatched pairs: GLM's layer 46 is its
--   MTP layer, and Solar's layer 47 is left out. Input norm, and a figure may be rounded or cut off, as in
--   D-2.1. A standard deviation is that of a population: the scripts quoted in F.7 use numpy's default.
with

printed_figures as (
    select distinct item, metric, scope, aggregate, value, half_digit
    from printed
    where item like 'sionic.d2_3.%' and scope in ('matched_layers', 'mismatched_pairs')
),

grid as (
    select
        if(layer_a = layer_b, 'matched_layers', 'mismatched_pairs') as scope,
        cosine, pearson
    from pairs
    where model_a = 'solar' and model_b = 'glm' and ln_type = 'input_layernorm' and layer_a <= 46
),

summed_up as (
    select
        scope,
        avg(cosine) as cosine_mean, stddev_pop(cosine) as cosine_std,
        avg(pearson) as pearson_mean, stddev_pop(pearson) as pearson_std
    from grid
    group by scope
),

found as (
    select
        printed_figures.*,
        case (printed_figures.metric || '_' || printed_figures.aggregate)
            when 'cosine_mean' then summed_up.cosine_mean
            when 'cosine_std' then summed_up.cosine_std
            when 'pearson_mean' then summed_up.pearson_mean
            when 'pearson_std' then summed_up.pearson_std
        end as observed
    from printed_figures
    left join summed_up using (scope)
)

select
    item,
    'plain' as reading,
    value as expected,
    half_digit * if(observed > value, 2, 1) as tolerance,
    observed
from found
order by scope, aggregate, metric
