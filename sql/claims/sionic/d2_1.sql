-- id: sionic.d2_1
-- title: Matched Solar and GLM layers have the cosines and Pearson correlations that table D-2.1 lists.
-- documents: sionic_ko, sionic_en
-- section: D-2.1
-- evidence: weights
-- needs: solar, glm
-- version: 2
-- history: v2: names the reading; a figure may be cut off as well as rounded
-- reading: The table does not name the norm. Its average of 0.9497 rounds to the 0.95 that E.2 prints for
--   the input norm, while E.3 prints 0.94 for the other one: the input norm is taken. A figure may be rounded
--   or cut off, so a value above the printed one may be off by a whole digit.
with

printed_figures as (
    select distinct item, layer_a as layer, metric, value, half_digit
    from printed
    where item similar to 'sionic.d2_1.(cosine|pearson).layer.*'
),

matched as (
    select layer, cosine, pearson
    from matched_layers
    where model_a = 'solar' and model_b = 'glm' and ln_type = 'input_layernorm'
),

found as (
    select
        printed_figures.*,
        case printed_figures.metric
            when 'cosine' then matched.cosine when 'pearson' then matched.pearson
        end as observed
    from printed_figures
    left join matched using (layer)
)

select
    item,
    'plain' as reading,
    value as expected,
    half_digit * if(observed > value, 2, 1) as tolerance,
    observed
from found
order by layer, metric
