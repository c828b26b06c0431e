-- id: sionic.figure_4
-- title: At their best layers Phi has a cosine of 0.99 with Solar and with GLM.
-- documents: sionic_ko, sionic_en
-- section: 4 Figure 4
-- evidence: weights
-- needs: solar, glm, phi
-- version: 2
-- reading: Input norm, layers 0 to 31. The best layer is the one with the highest cosine, as the caption
--   says. "About" is taken as half of the last digit printed, 0.005.
-- history: v2: names its reading
with

printed_figures as (
    select distinct item, model_a, model_b, value, half_digit
    from printed
    where item like 'sionic.fig4.cosine.%'
),

best as (
    select model_a, model_b, max(cosine) as cosine
    from matched_layers
    where model_a in ('solar', 'glm') and model_b = 'phi' and ln_type = 'input_layernorm'
    group by model_a, model_b
)

select
    printed_figures.item,
    'plain' as reading,
    printed_figures.value as expected,
    printed_figures.half_digit as tolerance,
    best.cosine as observed
from printed_figures
left join best using (model_a, model_b)
order by printed_figures.item
