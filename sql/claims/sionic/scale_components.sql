-- id: sionic.scale_components
-- title: Single norm weights run from 0.01 to 2.3 and are not all near 1; BF16 can lose their pattern.
-- documents: sionic_ko, sionic_en
-- section: Scale
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 1
-- reading: Input and post-attention norms of all layers. The three models are not named: Solar, GLM and Phi,
--   those trained apart (@glm_family: Solar, GLM, INTELLECT). Range: "approximately", so every weight within
--   half a digit (0.05) of the bounds; observed is the largest weight (@lowest: the smallest). Not near ones:
--   in each of the three models the mean of |γ − 1| over all weights is above 0.1; observed is the lowest.
--   Loss of the pattern in low precision: some vector's pattern has a standard deviation of less than one
--   BF16 step at its mean, so that rounding takes most of it; observed is the smallest deviation in steps,
--   over all four models.
with

bounds as (
    select max(low) as low, max(high) as high, max(half_digit) as half_digit
    from printed
    where item = 'sionic.scale.component_range' and metric = 'gamma'
),

vectors_compared as (
    select model, min, max, std / bf16_step(mean) as steps
    from vector_stats
    where
        model in ('solar', 'glm', 'intellect', 'phi')
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

extremes as (
    select
        min(min) filter (model <> 'intellect') as lowest, max(max) filter (model <> 'intellect') as highest,
        min(min) filter (model <> 'phi') as family_lowest, max(max) filter (model <> 'phi') as family_highest,
        min(steps) as fewest_steps
    from vectors_compared
),

from_ones as (
    select avg(abs(value::double - 1)) as distance
    from norms
    where
        model in ('solar', 'glm', 'phi')
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
    group by model
)

select
    unnest([
        'sionic.scale.component_range', 'sionic.scale.component_range@lowest',
        'sionic.scale.component_range@glm_family'
    ]) as item,
    unnest(['all weights are in the range', 'no weight is below it', 'all are in the range']) as statement,
    unnest([
        highest <= high + half_digit and lowest >= low - half_digit, lowest >= low - half_digit,
        family_highest <= high + half_digit and family_lowest >= low - half_digit
    ]) as holds,
    unnest([highest, lowest, family_highest]) as observed
from extremes
cross join bounds
union all
select
    'sionic.scale.not_near_all_ones' as item,
    'weights are on average more than 0.1 away from 1 in each model' as statement,
    min(distance) > 0.1 as holds,
    min(distance) as observed
from from_ones
union all
select
    'sionic.scale.pattern_lost_in_low_precision' as item,
    'some pattern spreads over less than one BF16 step' as statement,
    fewest_steps < 1 as holds,
    fewest_steps as observed
from extremes
order by item
