-- id: findings.gamma_within_0_1
-- title: Other figures of the same text go beyond the 0 to 1 that it gives the weights of most models.
-- documents: sionic_ko, sionic_en
-- section: Summary, 1, Scale, B.3 Figure 8
-- evidence: printed
-- needs:
-- version: 2
-- reading: An observation, no contradiction: it is said of most models, in English as often and roughly, and the
--   Scale section itself prints the wider range. Shown are the places where the same documents print more: the
--   top of a printed range, and the root mean square that a printed length of GLM's norms forces on some weight
--   (length / √4096), are above 1; the bottom of a range of lengths counts, at the end of its rounding that
--   helps. Observed is that weight.
-- history: v2: a finding of ours, no longer a claim; only figures about GLM, or about three models with it
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

weights (item, printed_item) as (
    values
    ('figure_8', 'sionic.fig8.minmax.glm'),
    ('three_models', 'sionic.scale.component_range'),
    ('deep_norms', 'sionic.scale.glm.post_norm_deep')
),

figures as (
    select
        weights.item,
        max(
            case metric when 'gamma' then high - half_digit when 'l2_norm' then (low - half_digit) / sqrt(d) end
        ) as weight
    from weights
    left join printed on printed.item = weights.printed_item
    cross join width
    group by weights.item
)

select
    item,
    'plain' as reading,
    'a weight above ' || top || ' follows from it' as statement,
    weight > top as holds,
    weight as observed
from figures
cross join top
order by item
