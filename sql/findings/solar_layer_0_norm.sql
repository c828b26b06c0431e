-- id: findings.solar_layer_0_norm
-- title: The weights printed for every layer of Solar and the length printed for its layer 0 cannot both be right.
-- documents: sionic_ko, sionic_en
-- section: Scale, B.3 Figure 8
-- evidence: printed
-- needs:
-- version: 3
-- reading: The input norm of layer 0 has length 2.80, a root mean square of 2.80 / √4096 = 0.044. Neither the
--   mean nor the smallest value of a vector can be above its root mean square: not the mean of 0.3 to 0.4 of
--   Figure 8, and not its smallest weight of 0.1. Figures are taken at the end of their rounding that helps.
--   Observed is the largest value possible.
-- history: v2: a finding of ours, no longer a claim; without Figure 6, whose 100 dimensions fit
-- history: v3: without the conclusion, which speaks of all models in general
with

layer_0 as (
    select max(value + half_digit) as length
    from printed
    where item = 'sionic.scale.solar.L00.input_norm'
),

width as (
    select max(value) as d
    from printed
    where item = 'sionic.e1.hidden_dim.solar'
),

compared (name, item) as (
    values
    ('figure_8_mean', 'sionic.fig8.mean.solar'),
    ('figure_8_smallest', 'sionic.fig8.minmax.solar')
),

claimed as (
    select compared.name, min(coalesce(low, value) - half_digit) as lowest
    from compared
    left join printed on printed.item = compared.item and printed.model_a = 'solar'
    group by compared.name
)

select
    name as item,
    'plain' as reading,
    'at least ' || round(lowest, 3) || ' is above what is possible at layer 0' as statement,
    lowest > length / sqrt(d) as holds,
    length / sqrt(d) as observed
from claimed
cross join layer_0
cross join width
order by name
