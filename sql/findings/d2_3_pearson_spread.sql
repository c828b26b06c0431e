-- id: findings.d2_3_pearson_spread
-- title: The Pearson correlations of D-2.3 spread less than half as far as those of unrelated vectors.
-- documents: sionic_ko, sionic_en
-- section: D-2.3
-- evidence: printed
-- needs:
-- version: 1
-- reading: Unrelated vectors of d values have a Pearson correlation of 0 give or take 1 / √(d − 1), 0.0156 for
--   4096. D-2.3 prints standard deviations of 0.0048 over matched layers and 0.0052 over mismatched pairs, taken
--   here at the upper end of their rounding. Layers of one model are alike, so their correlations with another
--   model move together and spread less, by √(1 − ρ) where ρ is how much they do: 0.0048 needs a ρ of 0.9,
--   whereas layers 10 and 20 have 0.35 by the critique's 6-3 (0.4567 in Solar times 0.7720 in GLM). What the two
--   figures are of is left open. Observed is the printed deviation as a share of the one by chance.
with

width as (
    select max(value) as d
    from printed
    where item = 'sionic.fig1.values_use_all_4096'
),

deviations as (
    select scope, max(value + half_digit) as deviation
    from printed
    where section = 'D-2.3' and metric = 'pearson' and aggregate = 'std'
    group by scope
)

select
    scope as item,
    'plain' as reading,
    'the printed deviation is less than half of the one by chance' as statement,
    deviation * sqrt(d - 1) < 0.5 as holds,
    deviation * sqrt(d - 1) as observed
from deviations
cross join width
order by scope
