-- id: printed.solar_layer_0_norm
-- title: The weights printed for every layer of Solar fit the length printed for its layer 0.
-- documents: sionic_ko, sionic_en
-- section: Scale, Conclusion, B.1 Figure 6, B.3 Figure 8
-- evidence: printed
-- needs:
-- version: 1
-- reading: The input norm of layer 0 has length 2.80, a root mean square of 2.80 / √4096 = 0.044. Neither the
--   mean nor the smallest value of a vector can be above its root mean square, so what is said of the mean or
--   of the smallest weight of all layers must reach down to it. Figure 6 is about the first 100 dimensions,
--   which alone must not be longer than the vector. Figures are taken at the end of their rounding that helps.
--   Observed is the largest value possible.
with

layer_0 as (
    select max(value + half_digit) as length
    from printed
    where item = 'sionic.scale.solar.L00.input_norm'
),

dims as (
    select
        max(value) filter (item = 'sionic.e1.hidden_dim.solar') as d,
        min(value) filter (item = 'sionic.fig6.first_100_dims') as shown
    from printed
),

claimed as (
    select item, scope, min(coalesce(low, value) - half_digit) as lowest
    from printed
    where
        model_a = 'solar'
        and ln_type = 'input_layernorm'
        and metric in ('mean', 'gamma')
        and aggregate = 'each'
        and scope in ('all_layers', 'first_100_dims')
        and document in ('sionic_ko', 'sionic_en')
    group by item, scope
),

bounded as (
    select
        item,
        lowest,
        length / sqrt(case scope when 'first_100_dims' then shown else d end) as highest
    from claimed
    cross join layer_0
    cross join dims
)

select
    'printed.solar_layer_0_norm.' || item as item,
    'at least ' || round(lowest, 3) || ' is possible' as statement,
    lowest <= highest as holds,
    highest as observed
from bounded
order by item
