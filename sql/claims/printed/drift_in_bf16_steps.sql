-- id: printed.drift_in_bf16_steps
-- title: The mean change at layer 40 fits the share of values that changed.
-- documents: sionic_ko, sionic_en
-- section: 3 Figure 3-1(a), 3 Figure 3-1(b), B.3 Figure 8
-- evidence: printed
-- needs:
-- version: 1
-- reading: A stored BF16 value changes by at least one step, 2^(e − 7) for values from 2^e to 2^(e + 1). If a
--   share p of the values changed, the mean change is at least p steps. Deep layers change by 0.1 %, layer 40
--   by 1e-6 on average; Figure 8 puts all weights of GLM at 0.5 or above, where a step is 2^-8. Share and mean
--   change are taken at the end of their rounding that helps, the smallest weight as printed. Weights from
--   0.25 to 0.5 would make both figures possible. Observed is the least mean change.
with

deep_share as (
    select min(value - half_digit) as share
    from printed
    where item = 'sionic.fig3_1a.deep_0_1'
),

mean_change as (
    select max(value + half_digit) as change
    from printed
    where item = 'sionic.fig3_1b.layer40_mean_diff'
),

smallest_weight as (
    select min(low) as weight
    from printed
    where item = 'sionic.fig8.minmax.glm' and model_a = 'glm'
)

select
    'printed.drift_in_bf16_steps.' || name as item,
    'the printed mean change is possible with weights from ' || lowest as statement,
    change >= share * 2 ** (floor(log2(lowest)) - 7) as holds,
    share * 2 ** (floor(log2(lowest)) - 7) as observed
from (
    select 'as_printed' as name, weight as lowest from smallest_weight
    union all
    select 'half_of_it' as name, weight / 2 as lowest from smallest_weight
)
cross join deep_share
cross join mean_change
order by item
