-- id: sionic.figure_6
-- title: Figure 6: over the first 100 values Solar's norms are flat at 0.3–0.5, GLM's at 1.0, Phi's at 0.8–1.0.
-- documents: sionic_ko, sionic_en
-- section: B.1 Figure 6
-- evidence: weights
-- needs: solar, glm, phi
-- version: 2
-- reading: The norm is not named: input norm, as in Figures 1 to 5; layers 0 to 46 where there are, the
--   first 100 values of each. A level is the median of all shown weights; it is said to be about so much, so
--   within a whole digit of the printed one. Uniformly low, whatever the layer and dimension: 95 % of Solar's
--   shown weights are no higher than its level; under flat, they are neither higher nor lower. Observed is
--   the share that is so.
-- history: v2: a whole digit for levels that are about so much; uniformly low is first of all not high
with

levels as (
    select distinct
        item, model_a as model,
        coalesce(low, value) - 2 * half_digit as low, coalesce(high, value) + 2 * half_digit as high
    from printed
    where item similar to 'sionic.fig6.(solar|glm|phi)_level'
),

shown as (
    select model, value::double as value
    from norms
    where model in ('solar', 'glm', 'phi') and ln_type = 'input_layernorm' and layer <= 46 and dim < 100
),

surfaces as (
    select
        item,
        median(shown.value) as level,
        avg((shown.value <= high)::integer) as not_high,
        avg((shown.value between low and high)::integer) as inside,
        any_value(low) as low, any_value(high) as high
    from levels
    left join shown using (model)
    group by item
)

select
    item,
    'plain' as reading,
    'the median of the shown weights is at the level' as statement,
    level between low and high as holds,
    level as observed
from surfaces
union all
select
    'sionic.fig6.solar_uniform' as item,
    unnest(['plain', 'flat']) as reading,
    unnest(['95 % of Solar''s shown weights are at its level or below', '95 % are at it']) as statement,
    unnest([not_high >= 0.95, inside >= 0.95]) as holds,
    unnest([not_high, inside]) as observed
from surfaces
where item = 'sionic.fig6.solar_level'
order by item, reading
