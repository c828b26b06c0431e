-- id: analytic.significance
-- title: A correlation of about 0.01 over 4096 dimensions is not significant.
-- documents: sionic_ko, sionic_en
-- section: Introduction, 1
-- evidence: analytic
-- needs:
-- version: 1
-- reading: If the dimensions of one vector were shuffled at random, r would have mean 0 and standard deviation
--   1 / √(d − 1), so r·√(d − 1) is its distance from chance in standard deviations; significant at 5 % means
--   1.96 or more. The printed 0.01 is taken at its upper end, 0.015. Dimensions are taken as exchangeable;
--   outlier dimensions that two models share would break that. Observed is the distance.
with

correlation as (
    select max(abs(value) + half_digit) as r
    from printed
    where item = 'sionic.intro.pearson_not_significant'
),

width as (
    select max(value) as d
    from printed
    where item = 'sionic.fig1.values_use_all_4096'
)

select
    'sionic.intro.pearson_not_significant' as item,
    'it lies within 1.96 standard deviations of chance' as statement,
    r * sqrt(d - 1) < 1.96 as holds,
    r * sqrt(d - 1) as observed
from correlation
cross join width
