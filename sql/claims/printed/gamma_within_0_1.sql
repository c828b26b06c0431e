-- id: printed.gamma_within_0_1
-- title: Norm weights lie between 0 and 1 after training.
-- documents: sionic_ko, sionic_en
-- section: Summary, 1, Scale, B.3 Figure 8
-- evidence: printed
-- needs:
-- version: 1
-- reading: A matter of reading, since it is said of most models: here it is held against every other place
--   where the same documents print the size of weights. The top of a printed range, and the root mean square
--   that a printed length forces on some weight (length / √4096), must not be above 1; the bottom of a range
--   of lengths counts, at the end of its rounding that helps. Observed is that weight.
with

top as (
    select max(high) as top
    from printed
    where item = 'sionic.summary.gamma_between_0_and_1'
),

width as (
    select max(value) as d
    from printed
    where item = 'sionic.e1.hidden_dim.glm'
),

weights as (
    select item, max(high - half_digit) as weight
    from printed
    where
        metric = 'gamma'
        and aggregate = 'each'
        and high is not null
        and scope in ('three_models', 'all_layers')
    group by item
    union all
    select item, max(low - half_digit) / sqrt(any_value(d)) as weight
    from printed
    cross join width
    where metric = 'l2_norm' and aggregate = 'each' and ln_type = 'post_attention_layernorm'
    group by item
)

select
    'printed.gamma_within_0_1.' || item as item,
    'no weight above ' || top || ' follows from it' as statement,
    weight <= top as holds,
    weight as observed
from weights
cross join top
order by item
