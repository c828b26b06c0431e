-- id: sionic.figure_8_compared
-- title: Figure 8: INTELLECT's lines are GLM's; GLM spreads most, Solar least; Solar and GLM differ clearly.
-- documents: sionic_ko, sionic_en
-- section: B.3 Figure 8
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 2
-- reading: Input norm. Lines overlap to the eye: over the 46 common layers no difference of a statistic (mean
--   alone, or any of mean, std, min and max) is above a fiftieth of the height that GLM's line spans, about
--   the size of a point in such a chart; observed is the largest such ratio. Order of std: the averages over
--   layers 0 to 31 are highest for GLM and INTELLECT, then Phi, then Solar; observed is Phi over Solar. Under
--   most_layers, more than half of these layers are in that order; observed is the share. Solar and GLM
--   differ clearly: in three of four of the 47 common layers the means are farther apart than both standard
--   deviations together; observed is the share.
-- history: v2: lines are compared as the eye sees them; the order of std is no longer asked of every layer, nor
--   the distance of Solar and GLM of nine layers in ten
with

stats as (
    select model, layer, mean, std, min, max
    from vector_stats
    where model in ('solar', 'glm', 'intellect', 'phi') and ln_type = 'input_layernorm'
),

overlap as (
    select
        max(abs(g.mean - i.mean)) / (max(g.mean) - min(g.mean)) as mean_gap,
        max(abs(g.std - i.std)) / (max(g.std) - min(g.std)) as std_gap,
        max(abs(g.min - i.min)) / (max(g.min) - min(g.min)) as min_gap,
        max(abs(g.max - i.max)) / (max(g.max) - min(g.max)) as max_gap
    from stats as g
    join stats as i using (layer)
    where g.model = 'glm' and i.model = 'intellect'
),

spreads as (
    select
        avg((least(g.std, i.std) > p.std and p.std > s.std)::integer) as in_order,
        least(avg(g.std), avg(i.std)) > avg(p.std) and avg(p.std) > avg(s.std) as averages_in_order,
        avg(p.std) / avg(s.std) as phi_to_solar
    from stats as s
    join stats as g using (layer)
    join stats as i using (layer)
    join stats as p using (layer)
    where s.model = 'solar' and g.model = 'glm' and i.model = 'intellect' and p.model = 'phi'
),

separation as (
    select avg((abs(s.mean - g.mean) > s.std + g.std)::integer) as separated_share
    from stats as s
    join stats as g using (layer)
    where s.model = 'solar' and g.model = 'glm'
)

select
    unnest(['sionic.fig8.mean.intellect_overlaps_glm', 'sionic.fig8.lines_overlap_exactly']) as item,
    'plain' as reading,
    unnest(['the lines of the mean coincide', 'the lines of all four statistics coincide']) as statement,
    unnest([mean_gap <= 0.02, greatest(mean_gap, std_gap, min_gap, max_gap) <= 0.02]) as holds,
    unnest([mean_gap, greatest(mean_gap, std_gap, min_gap, max_gap)]) as observed
from overlap
union all
select
    'sionic.fig8.std_order' as item,
    unnest(['plain', 'most_layers']) as reading,
    unnest(['the averages are in order', 'more than half of the layers are']) as statement,
    unnest([averages_in_order, in_order > 0.5]) as holds,
    unnest([phi_to_solar, in_order]) as observed
from spreads
union all
select
    'sionic.fig8.solar_glm_clearly_differ' as item,
    'plain' as reading,
    'three in four layers have means apart by more than both deviations' as statement,
    separated_share >= 0.75 as holds,
    separated_share as observed
from separation
order by item, reading
