-- id: sionic.figure_6_compared
-- title: Figure 6: INTELLECT's surface is GLM's, Phi's is like it, GLM's rises, and Solar's lies lower.
-- documents: sionic_ko, sionic_en
-- section: B.1 Figure 6
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 3
-- reading: Input norm, layers 0 to 46 where there are, the first 100 values of each. Higher when deep: GLM's
--   mean over the last third of its decoder layers (31 to 45) is above that over the first (0 to 14);
--   slightly: as the text has it, by no more than a tenth of the colour scale. Observed is by how much.
--   INTELLECT almost like GLM: 99 % of the shown weights differ by less than a hundredth of the colour scale
--   of 0 to 2; observed is the difference that 99 % stay below. Phi like GLM: over layers 0 to 31 the middle
--   98 % of the two models' weights share at least half of the range that they span together; observed is that
--   part. Solar clearly lower: its median is below another model's by more than a tenth of that one; observed
--   is for how many models.
-- history: v2: almost like allows a hundredth of the weights to differ; clearly lower is measured by the
--   other model's height, not by the colour scale
-- history: v3: slightly higher is a reading beside higher
with

scale as (
    select max(high) as height
    from printed
    where item = 'sionic.fig6.colorbar_0_2'
),

higher_models as (
    select max(value) as wanted
    from printed
    where item = 'sionic.fig6.solar_clearly_lower'
),

shown as (
    select model, layer, dim, value::double as value
    from norms
    where
        model in ('solar', 'glm', 'intellect', 'phi') and ln_type = 'input_layernorm'
        and layer <= 46 and dim < 100
),

surfaces as (
    select
        model,
        median(value) as level,
        quantile_cont(value, 0.01) filter (layer <= 31) as bottom,
        quantile_cont(value, 0.99) filter (layer <= 31) as top,
        avg(value) filter (layer between 31 and 45) - avg(value) filter (layer <= 14) as rise
    from shown
    group by model
),

moves as (
    select quantile_cont(abs(g.value - i.value), 0.99) as largest
    from shown as g
    join shown as i using (layer, dim)
    where g.model = 'glm' and i.model = 'intellect'
),

ranges as (
    select min(top) - max(bottom) as shared, max(top) - min(bottom) as spanned
    from surfaces
    where model in ('glm', 'phi')
),

above_solar as (
    select count_if(solar.level < 0.9 * other.level) as models
    from surfaces as other
    join surfaces as solar on other.model <> 'solar' and solar.model = 'solar'
),

found as (
    select
        'sionic.fig6.glm_higher_when_deep' as item,
        'plain' as reading,
        'deep layers are higher' as statement,
        max(rise) > 0 as holds,
        max(rise) as observed
    from surfaces
    where model = 'glm'
    union all
    select
        'sionic.fig6.glm_higher_when_deep', 'slightly', 'and by a tenth of the scale at most',
        max(rise) > 0 and max(rise) <= max(height) / 10, max(rise)
    from surfaces
    cross join scale
    where model = 'glm'
    union all
    select
        'sionic.fig6.intellect_like_glm', 'plain', 'hardly a weight differs visibly', largest <= height / 100, largest
    from moves
    cross join scale
    union all
    select
        'sionic.fig6.phi_like_glm', 'plain', 'the two share half of their range', shared >= spanned / 2,
        shared / spanned
    from ranges
    union all
    select
        'sionic.fig6.solar_clearly_lower', 'plain', 'Solar is clearly below all three others', models = wanted, models
    from above_solar
    cross join higher_models
)

select item, reading, statement, holds, observed
from found
order by item, reading
