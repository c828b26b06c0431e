-- id: sionic.figure_3_1
-- title: From GLM to INTELLECT 96 % of early and 0.1 % of deep values changed, by 5e-4 down to 1e-6 on average.
-- documents: sionic_ko, sionic_en
-- section: 3 Figure 3-1
-- evidence: weights
-- needs: glm, intellect
-- version: 1
-- reading: The norm is not named; input norm, as in Figure 3, decoder layers 0 to 45. A value changed when
--   the stored numbers differ. Early is layer 0, the only one panel (b) names there (@layers_0_2: the mean of
--   the three that the text groups). Deep is the mean over the last third of the layers, 31 to 45 (@layer_40:
--   the deep layer of panel (b)). The mean differences are "about": half of their one digit.
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

readings as (
    select
        unnest([
            'sionic.fig3_1a.early_96', 'sionic.fig3_1a.early_96@layers_0_2', 'sionic.fig3_1a.deep_0_1',
            'sionic.fig3_1a.deep_0_1@layer_40', 'sionic.fig3_1b.layer0_mean_diff',
            'sionic.fig3_1b.layer40_mean_diff'
        ]) as item,
        unnest([
            max(changed_ratio) filter (layer = 0), avg(changed_ratio) filter (layer <= 2),
            avg(changed_ratio) filter (layer >= 31), max(changed_ratio) filter (layer = 40),
            max(mean_abs_diff) filter (layer = 0), max(mean_abs_diff) filter (layer = 40)
        ]) as observed
    from changes
)

select
    readings.item,
    printed_figures.value as expected,
    printed_figures.half_digit as tolerance,
    readings.observed
from printed_figures
left join readings on split_part(readings.item, '@', 1) = printed_figures.item
order by item
