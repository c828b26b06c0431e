-- id: sionic.figure_2
-- title: Figure 2: Solar–GLM layer pairs have a cosine of about 0.95 and no Pearson, and no diagonal shows.
-- documents: sionic_ko, sionic_en
-- section: 2, 2 Figure 2
-- evidence: weights
-- needs: solar, glm
-- version: 3
-- reading: Input norm, layers 0 to 46 of both. Level: every pair is around 0.94–0.95, within a whole digit;
--   observed is the share inside. Under average, the mean of all pairs is, as the means that the section
--   prints are. All red: no cosine at or below the pale end of the colour scale; observed is the lowest. What
--   the eye tells apart is put at a tenth of the scale (0.01): pairs (10, 10) and (10, 30) differ by less,
--   and the matched mean exceeds the mismatched by less; under spread it does so by less than one standard
--   deviation of the mismatched. Near zero: the panel is mostly white (95 % of the |Pearson| within half of
--   the ±0.1 scale) and no pair reaches an end of the scale; observed is the largest. Chance alone takes one
--   of 2209 pairs beyond half of it. No pattern: the English text says that none is statistically meaningful,
--   so that no pair has a permutation z beyond 4.24, the joint 5 % level of 2209 pairs; the Korean one that none
--   shows in practice, apart from significance, so that no |Pearson| reaches 0.1. No offset stands out: no
--   diagonal i + k of at least ten pairs has a mean Pearson beyond half of the scale; observed is the highest.
-- history: v2: mostly white is no longer every pair within half of the scale, which chance alone exceeds; the
--   level may be that of the average
-- history: v3: what the Korean and the English text say of a pattern is an item each, no longer a reading
with

scales as (
    select
        max(high - low) filter (item = 'sionic.fig2a.whole_panel_red') / 10 as visible,
        max(low) filter (item = 'sionic.fig2a.whole_panel_red') as pale,
        max(high) filter (metric = 'colour_range' and item like 'sionic.fig2b.%') as end_of_scale,
        max(low - 2 * half_digit) filter (scope = 'all_pairs' and metric = 'cosine') as low,
        max(high + 2 * half_digit) filter (scope = 'all_pairs' and metric = 'cosine') as high
    from printed
    where item similar to 'sionic.fig2[ab].*'
),

grid as (
    select layer_a, layer_b, layer_b - layer_a as k, cosine, pearson, permutation_z
    from pairs
    where model_a = 'solar' and model_b = 'glm' and ln_type = 'input_layernorm' and layer_a <= 46
),

diagonals as (
    select avg(pearson) as pearson
    from grid
    group by k
    having count(*) >= 10
),

found as (
    select
        avg((cosine between low and high)::integer) as inside,
        avg(cosine) as average,
        min(cosine) as lowest,
        max(cosine) filter (layer_a = 10 and layer_b = 10) as cosine_10_10,
        max(cosine) filter (layer_a = 10 and layer_b = 30) as cosine_10_30,
        abs(cosine_10_10 - cosine_10_30) as step,
        avg(cosine) filter (k = 0) - avg(cosine) filter (k <> 0) as gap,
        stddev_pop(cosine) filter (k <> 0) as spread,
        avg((abs(pearson) <= end_of_scale / 2)::integer) as white,
        max(abs(pearson)) as largest_pearson,
        max(abs(permutation_z)) as largest_z,
        (select max(pearson) from diagonals) as best_diagonal
    from grid
    cross join scales
)

select
    unnest([
        'sionic.fig2a.cosine_level', 'sionic.fig2a.cosine_level', 'sionic.fig2a.whole_panel_red',
        'sionic.fig2a.l10_l10_like_l10_l30', 'sionic.fig2a.no_diagonal', 'sionic.fig2a.no_diagonal',
        'sionic.fig2b.pearson_near_zero_everywhere', 'sionic.fig2b.en_no_significant_pattern',
        'sionic.fig2b.ko_no_pattern_in_practice', 'sionic.fig2.no_offset_diagonal'
    ]) as item,
    unnest([
        'plain', 'average', 'plain', 'plain', 'plain', 'spread', 'plain', 'plain', 'plain', 'plain'
    ]) as reading,
    unnest([
        'every cosine is around the level', 'the mean cosine is', 'every cosine is above the pale end',
        'the two cosines differ by less than a tenth of the scale',
        'matched minus mismatched cosine is below a tenth of the scale', 'it is below one standard deviation',
        'the panel is mostly white and no pair reaches an end of the scale', 'no pair is significant among 2209',
        'no pair reaches a correlation of 0.1',
        'no diagonal''s mean Pearson is beyond half of the scale'
    ]) as statement,
    unnest([
        inside = 1, average between low and high, lowest > pale, step < visible, gap < visible, gap < spread,
        white >= 0.95 and largest_pearson < end_of_scale, largest_z <= 4.24, largest_pearson < 0.1,
        best_diagonal <= end_of_scale / 2
    ]) as holds,
    unnest([
        inside, average, lowest, step, gap, gap / spread, largest_pearson, largest_z, largest_pearson, best_diagonal
    ]) as observed
from found
cross join scales
order by item, reading
