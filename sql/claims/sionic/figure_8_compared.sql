-- id: sionic.figure_8_compared
-- title: Figure 8: INTELLECT's lines are GLM's; GLM spreads most, Solar least; Solar and GLM differ clearly.
-- documents: sionic_ko, sionic_en
-- section: B.3 Figure 8
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 1
-- reading: Input norm. Lines overlap: over the 46 common layers no difference of a statistic (mean alone, or
--   any of mean, std, min and max) is above a hundredth of the height that GLM's line spans; observed is the
--   largest such ratio. Order of std: GLM and INTELLECT above Phi above Solar in each of layers 0 to 31,
--   observed as the share of layers; @average: of the averages over these layers. Solar and GLM differ
--   clearly: in more than nine of ten of the 47 common layers the means are farther apart than both standard
--   deviations together; observed is the share.
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
    select avg((abs(s.mean - g.mean) > s.std + g.std)::integer) as apart
    from stats as s
    join stats as g using (layer)
    where s.model = 'solar' and g.model = 'glm'
)

select
    unnest(['sionic.fig8.mean.intellect_overlaps_glm', 'sionic.fig8.lines_overlap_exactly']) as item,
    unnest(['the lines of the mean coincide', 'the lines of all four statistics coincide']) as statement,
    unnest([mean_gap <= 0.01, greatest(mean_gap, std_gap, min_gap, max_gap) <= 0.01]) as holds,
    unnest([mean_gap, greatest(mean_gap, std_gap, min_gap, max_gap)]) as observed
from overlap
union all
select
    unnest(['sionic.fig8.std_order', 'sionic.fig8.std_order@average']) as item,
    unnest(['every layer is in order', 'the averages are in order (observed: Phi over Solar)']) as statement,
    unnest([in_order = 1, averages_in_order]) as holds,
    unnest([in_order, phi_to_solar]) as observed
from spreads
union all
select
    'sionic.fig8.solar_glm_clearly_differ' as item,
    'more than nine in ten layers have means apart by more than both deviations' as statement,
    apart > 0.9 as holds,
    apart as observed
from separation
order by item
