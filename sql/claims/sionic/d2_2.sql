-- id: sionic.d2_2
-- title: Six mismatched Solar and GLM layers have the cosines and Pearson correlations that D-2.2 lists.
-- documents: sionic_ko, sionic_en
-- section: D-2.2
-- evidence: weights
-- needs: solar, glm
-- version: 2
-- history: v2: names the reading; a figure may be cut off as well as rounded
-- reading: The first layer of a row is Solar's, the second GLM's. The input norm is taken and a figure may be
--   rounded or cut off, as in D-2.1. The average row under the six is that of all mismatched pairs and belongs
--   to D-2.3.
with

printed_figures as (
    select distinct item, layer_a, layer_b, metric, value, half_digit
    from printed
    where item similar to 'sionic.d2_2.(cosine|pearson).*'
),

grid as (
    select layer_a, layer_b, cosine, pearson
    from pairs
    where model_a = 'solar' and model_b = 'glm' and ln_type = 'input_layernorm'
),

found as (
    select
        printed_figures.*,
        case printed_figures.metric
            when 'cosine' then grid.cosine when 'pearson' then grid.pearson
        end as observed
    from printed_figures
    left join grid using (layer_a, layer_b)
)

select
    item,
    'plain' as reading,
    value as expected,
    half_digit * if(observed > value, 2, 1) as tolerance,
    observed
from found
order by layer_a, metric
