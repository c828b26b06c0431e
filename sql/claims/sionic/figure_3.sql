-- id: sionic.figure_3
-- title: GLM and INTELLECT are most alike at layer 41, with cosine and Pearson 1.0, of 46 compared.
-- documents: sionic_ko, sionic_en
-- section: 3 Figure 3
-- evidence: weights
-- needs: glm, intellect
-- version: 1
-- reading: Input norm, as the caption says; the layers that both have, so GLM's MTP layer is out. "About
--   1.0" is taken as half of the last digit printed, 0.05. The layers are so alike that the best one is
--   decided in the tenth digit: computed in double precision.
with

printed_figures as (
    select distinct item, value, half_digit
    from printed
    where
        item in (
            'sionic.fig3.best_layer_41', 'sionic.fig3a.cosine', 'sionic.fig3b.pearson',
            'sionic.fig3c.layer_count_46'
        )
),

matched as (
    select layer, cosine, pearson
    from matched_layers
    where model_a = 'glm' and model_b = 'intellect' and ln_type = 'input_layernorm'
),

found as (
    select
        unnest([
            'sionic.fig3.best_layer_41', 'sionic.fig3a.cosine', 'sionic.fig3b.pearson',
            'sionic.fig3c.layer_count_46'
        ]) as item,
        unnest([
            arg_max(layer, cosine), max(cosine) filter (layer = 41), max(pearson) filter (layer = 41), count(*)
        ]) as observed
    from matched
)

select
    printed_figures.item,
    printed_figures.value as expected,
    printed_figures.half_digit as tolerance,
    found.observed
from printed_figures
left join found using (item)
order by printed_figures.item
