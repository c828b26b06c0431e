-- id: printed.figure_scales
-- title: How Figures 2, 3-1 and 6 are laid out and coloured fits what the text says of them.
-- documents: sionic_ko, sionic_en
-- section: 2 Figure 2, 3 Figure 3-1(a), B.1 Figure 6
-- evidence: printed
-- needs:
-- version: 2
-- reading: Figure 2 (Korean text): the diagonal of equal layers runs from bottom left to top right, which
--   needs two axes of equal length that both begin at 0; that the vertical one rises upwards is taken as
--   given, no document prints it. Figure 3-1(a): the three colours stand for the three levels that the text
--   gives the three groups of layers (no layer is said to lie between 50 and 90 %). Figure 6: one colour range
--   serves all models, which needs it to reach as far as the highest weight printed for any of them in
--   Figures 6 and 8.
-- history: v2: the printed axes also give a number of layers now; only their indices are read
with

axes as (
    select distinct model_a, low, high
    from printed
    where item = 'sionic.fig2.axes_0_46' and metric = 'layer_index'
),

levels as (
    select distinct scope, coalesce(low, 0) as low, coalesce(high, 1) as high
    from printed
    where item = 'sionic.fig3_1a.colours_by_level'
),

layer_levels as (
    select distinct coalesce(low, 0) as low, coalesce(high, 1) as high
    from printed
    where metric = 'changed_ratio' and scope in ('layers_0_2', 'layers_3_12', 'layers_13_up')
),

colours as (
    select distinct low, high
    from printed
    where item = 'sionic.fig6.colorbar_0_2'
),

highest_weight as (
    select max(coalesce(high, value)) as gamma
    from printed
    where metric = 'gamma' and section in ('B.1 Figure 6', 'B.3 Figure 8')
)

select
    'sionic.fig2.diagonal_direction_ko' as item,
    'both axes begin at layer 0 and end at the same layer' as statement,
    min(low) = 0 and max(low) = 0 and min(high) = max(high) as holds,
    max(high) as observed
from axes
union all
select
    'sionic.fig3_1a.colours_by_level' as item,
    'three colours for the three levels that the layers are said to have' as statement,
    count(*) = 3 and count(layer_levels.low) = 3 as holds,
    count(layer_levels.low) as observed
from levels
left join layer_levels using (low, high)
union all
select
    'sionic.fig6.colorbar_0_2' as item,
    'the colour range covers every weight printed for Figures 6 and 8' as statement,
    colours.low <= 0 and colours.high >= highest_weight.gamma as holds,
    highest_weight.gamma as observed
from colours
cross join highest_weight
order by item
