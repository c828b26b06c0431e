-- id: sionic.d2_1
-- title: Matched Solar and GLM layers have the cosines and Pearson correlations that table D-2.1 lists.
-- documents: sionic_ko, sionic_en
-- section: D-2.1
-- evidence: weights
-- needs: solar, glm
-- version: 1
-- reading: The table does not name the norm. Its average of 0.9497 rounds to the 0.95 that E.2 prints for
--   the input norm, while E.3 prints 0.94 for the other one: the input norm is taken.
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
)

select
    printed_figures.item,
    printed_figures.value as expected,
    printed_figures.half_digit as tolerance,
    case printed_figures.metric
        when 'cosine' then matched.cosine when 'pearson' then matched.pearson
    end as observed
from printed_figures
left join matched using (layer)
order by printed_figures.layer, printed_figures.metric
