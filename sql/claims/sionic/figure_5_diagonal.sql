-- id: sionic.figure_5_diagonal
-- title: Figure 5: the diagonal of the GLM–INTELLECT heatmap has a mean Pearson of 1.0.
-- documents: sionic_ko, sionic_en
-- section: 4 Figure 5
-- evidence: weights
-- needs: glm, intellect
-- version: 2
-- reading: Input norm, all layers that both models have. "About" is taken as half of the last digit printed,
--   0.05.
-- history: v2: names its reading
with

printed_figures as (
    select distinct item, value, half_digit
    from printed
    where item = 'sionic.fig5.diag_mean.glm_intellect'
),

diagonal as (
    select avg(pearson) as pearson
    from matched_layers
    where model_a = 'glm' and model_b = 'intellect' and ln_type = 'input_layernorm'
)

select
    printed_figures.item,
    'plain' as reading,
    printed_figures.value as expected,
    printed_figures.half_digit as tolerance,
    diagonal.pearson as observed
from printed_figures
cross join diagonal
