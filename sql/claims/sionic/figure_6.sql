-- id: sionic.figure_6
-- title: Figure 6: over the first 100 values Solar's norms are flat at 0.3–0.5, GLM's at 1.0, Phi's at 0.8–1.0.
-- documents: sionic_ko, sionic_en
-- section: B.1 Figure 6
-- evidence: weights
-- needs: solar, glm, phi
-- version: 1
-- reading: The norm is not named: input norm, as in Figures 1 to 5; layers 0 to 46 where there are, the
--   first 100 values of each. A level is the median of all shown weights, within half a digit of the printed
--   one. Flat whatever the layer and dimension: 95 % of Solar's shown weights are within its level; observed
--   is the share that is.
with

levels as (
    select distinct
        item, model_a as model,
        coalesce(low, value) - half_digit as low, coalesce(high, value) + half_digit as high
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
        avg((shown.value between low and high)::integer) as inside,
        any_value(low) as low, any_value(high) as high
    from levels
    left join shown using (model)
    group by item
)

select
    item,
    'the median of the shown weights is at the level' as statement,
    level between low and high as holds,
    level as observed
from surfaces
union all
select
    'sionic.fig6.solar_uniform' as item,
    '95 % of Solar''s shown weights are at its level' as statement,
    inside >= 0.95 as holds,
    inside as observed
from surfaces
where item = 'sionic.fig6.solar_level'
order by item
