-- id: sionic.figure_1
-- title: Solar and GLM are most alike at layer 27: cosine 0.99, Pearson 0.02, over all 4096 values.
-- documents: sionic_ko, sionic_en
-- section: 1 Figure 1, 3 Figure 3, F.8
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 2
-- reading: Input norm, as the caption says. Panel (c) compares 47 layers: those that both models have in
--   their files, GLM's MTP layer 46 among them. The best layer is looked for in the same 47. That cosine and
--   Pearson use all values is said of Figures 1, 3 and 4: observed is the smallest width of an input norm of
--   the four models in them.
-- history: v2: the reading without the MTP layer is dropped: 46 layers can never be the 47 that are printed
with

printed_figures as (
    select distinct item, value, half_digit
    from printed
    where
        item in (
            'sionic.fig1.best_layer_27', 'sionic.fig1a.cosine', 'sionic.fig1b.pearson',
            'sionic.fig1.values_use_all_4096', 'sionic.fig1c.layer_count_47'
        )
        and relation = '='
),

matched as (
    select layer, cosine, pearson
    from matched_layers
    where model_a = 'solar' and model_b = 'glm' and ln_type = 'input_layernorm'
),

widths as (
    select min(d) as width
    from vector_stats
    where model in ('solar', 'glm', 'intellect', 'phi') and ln_type = 'input_layernorm'
),

found as (
    select
        unnest([
            'sionic.fig1.best_layer_27', 'sionic.fig1a.cosine', 'sionic.fig1b.pearson',
            'sionic.fig1c.layer_count_47'
        ]) as item,
        unnest([
            arg_max(layer, cosine), max(cosine) filter (layer = 27), max(pearson) filter (layer = 27), count(*)
        ]) as observed
    from matched
    union all
    select 'sionic.fig1.values_use_all_4096', width
    from widths
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
