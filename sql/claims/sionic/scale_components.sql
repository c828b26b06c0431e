-- id: sionic.scale_components
-- title: Single norm weights run from 0.01 to 2.3 and are not all near 1; BF16 can lose of their pattern.
-- documents: sionic_ko, sionic_en
-- section: Scale
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 2
-- reading: Input and post-attention norms of all layers. The three models are "the ones below", which does
--   not say which of the four: all four are taken, as what holds of them holds of any three. Range:
--   "approximately", so 99 % of the weights are within half a digit (0.05) of the bounds; observed is the
--   share. Under every_weight, all weights of Solar and of GLM, the two that the section names, are; observed
--   is the one farthest outside, or nearest to it. Not near ones: in each model the mean of |γ − 1| over all
--   weights is above 0.1; observed is the lowest. Loss in low precision is said to be possible: rounding to
--   BF16 at a vector's mean has a standard deviation of step/√12; in some vector that is more than a hundredth
--   of the pattern's. Observed is the largest such part. The weights are stored in BF16, so what was lost
--   before cannot be seen.
-- history: v2: about so much allows one weight in a hundred to be outside; that a loss can occur no longer
--   means that most of a pattern is lost
with

bounds as (
    select max(low) - max(half_digit) as low, max(high) + max(half_digit) as high
    from printed
    where item = 'sionic.scale.component_range' and metric = 'gamma'
),

weights as (
    select model, value::double as value
    from norms
    where
        model in ('solar', 'glm', 'intellect', 'phi')
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

by_model as (
    select
        model, min(value) as lowest, max(value) as highest, count(*) as n,
        count_if(value between low and high) as inside, avg(abs(value - 1)) as from_one
    from weights
    cross join bounds
    group by model
),

ranges as (
    select
        sum(inside) / sum(n) as inside,
        min(lowest) filter (model in ('solar', 'glm')) as lowest,
        max(highest) filter (model in ('solar', 'glm')) as highest,
        min(from_one) as least_from_one
    from by_model
),

rounding as (
    select max(bf16_step(mean) / sqrt(12) / std) as largest
    from vector_stats
    where
        model in ('solar', 'glm', 'intellect', 'phi')
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
)

select
    'sionic.scale.component_range' as item,
    unnest(['plain', 'every_weight']) as reading,
    unnest(['99 % of the weights are in the range', 'all weights of Solar and GLM are']) as statement,
    unnest([inside >= 0.99, lowest >= low and highest <= high]) as holds,
    unnest([inside, if(low - lowest > highest - high, lowest, highest)]) as observed
from ranges
cross join bounds
union all
select
    'sionic.scale.not_near_all_ones', 'plain', 'weights are on average more than 0.1 away from 1 in each model',
    least_from_one > 0.1, least_from_one
from ranges
union all
select
    'sionic.scale.pattern_lost_in_low_precision', 'plain',
    'rounding to BF16 can move some pattern by more than a hundredth of itself', largest > 0.01, largest
from rounding
order by item, reading
