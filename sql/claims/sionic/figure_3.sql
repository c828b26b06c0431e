-- id: sionic.figure_3
-- title: GLM and INTELLECT are most alike at layer 41, with cosine and Pearson 1.0, of 46 compared.
-- documents: sionic_ko, sionic_en
-- section: 3 Figure 3
-- evidence: weights
-- needs: glm, intellect
-- version: 2
-- reading: Input norm, as the caption says; the layers that both have, so GLM's MTP layer is out. "About
--   1.0" is taken as half of the last digit printed, 0.05. Deep layers differ from each other by some 1e-8,
--   less than single precision tells apart: layers within four of its steps below 1 (2^-22) of the highest
--   cosine tie with it, and observed is the one of them that is nearest to the printed layer.
-- history: v2: layers that single precision cannot tell apart are ties
with

printed_figures as (
    select distinct item, value, half_digit
    from printed
    where
        item in (
            'sionic.fig3.best_layer_41', 'sionic.fig3a.cosine', 'sionic.fig3b.pearson',
            'sionic.fig3c.layer_count_46'
        )
        and value is not null
),

matched as (
    select layer, cosine, pearson, max(cosine) over () - cosine <= 2.0 ** -22 as is_best
    from matched_layers
    where model_a = 'glm' and model_b = 'intellect' and ln_type = 'input_layernorm'
),

best as (
    select arg_min(layer, abs(layer - value)) filter (is_best) as layer
    from matched
    join printed_figures on item = 'sionic.fig3.best_layer_41'
),

found as (
    select
        unnest([
            'sionic.fig3a.cosine', 'sionic.fig3b.pearson', 'sionic.fig3c.layer_count_46'
        ]) as item,
        unnest([
            max(cosine) filter (layer = 41), max(pearson) filter (layer = 41), count(*)
        ]) as observed
    from matched
    union all
    select 'sionic.fig3.best_layer_41', layer
    from best
)

select
    printed_figures.item,
    'plain' as reading,
    printed_figures.value as expected,
    printed_figures.half_digit as tolerance,
    found.observed
from printed_figures
left join found using (item)
order by printed_figures.item
