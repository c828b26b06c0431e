-- id: sionic.figure_3_1
-- title: From GLM to INTELLECT 96 % of early and 0.1 % of deep values changed, by 5e-4 down to 1e-6 on average.
-- documents: sionic_ko, sionic_en
-- section: 3 Figure 3-1
-- evidence: weights
-- needs: glm, intellect
-- version: 2
-- reading: The norm is not named; input norm, as in Figure 3, decoder layers 0 to 45. A value changed when
--   the stored numbers differ. Early is layer 0 and deep is layer 40, the two that panel (b) names. Under
--   layers_0_2, early is the mean of the three layers that the text groups; under last_third, deep is the
--   mean of layers 31 to 45. Shares may be rounded or cut off, and the mean differences are "about": a whole
--   digit, but never less than half of the figure, as 0.1 % is not none.
-- history: v2: a whole digit for figures that may be cut off or are said to be about; deep is first of all the
--   deep layer that is named
with

printed_figures as (
    select distinct item, value, half_digit
    from printed
    where
        item in (
            'sionic.fig3_1a.early_96', 'sionic.fig3_1a.deep_0_1', 'sionic.fig3_1b.layer0_mean_diff',
            'sionic.fig3_1b.layer40_mean_diff'
        )
),

changes as (
    select layer, changed_ratio, mean_abs_diff
    from matched_layers
    where model_a = 'glm' and model_b = 'intellect' and ln_type = 'input_layernorm'
),

found as (
    select
        unnest([
            'sionic.fig3_1a.early_96', 'sionic.fig3_1a.early_96', 'sionic.fig3_1a.deep_0_1',
            'sionic.fig3_1a.deep_0_1', 'sionic.fig3_1b.layer0_mean_diff', 'sionic.fig3_1b.layer40_mean_diff'
        ]) as item,
        unnest(['plain', 'layers_0_2', 'plain', 'last_third', 'plain', 'plain']) as reading,
        unnest([
            max(changed_ratio) filter (layer = 0), avg(changed_ratio) filter (layer <= 2),
            max(changed_ratio) filter (layer = 40), avg(changed_ratio) filter (layer >= 31),
            max(mean_abs_diff) filter (layer = 0), max(mean_abs_diff) filter (layer = 40)
        ]) as observed
    from changes
)

select
    printed_figures.item,
    found.reading,
    printed_figures.value as expected,
    if(
        found.observed > printed_figures.value, 2 * printed_figures.half_digit,
        least(2 * printed_figures.half_digit, printed_figures.value / 2)
    ) as tolerance,
    found.observed
from printed_figures
left join found using (item)
order by printed_figures.item, found.reading
