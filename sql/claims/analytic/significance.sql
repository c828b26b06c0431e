-- id: analytic.significance
-- title: A correlation of about 0.01 over 4096 dimensions is not significant.
-- documents: sionic_ko, sionic_en
-- section: Introduction, 1
-- evidence: analytic
-- needs:
-- version: 2
-- reading: If the dimensions of one vector were shuffled at random, r would have mean 0 and standard deviation
--   1 / √(d − 1), so r·√(d − 1) is its distance from chance in standard deviations; significant at 5 % means
--   1.96 or more. The printed 0.01 is taken at its upper end, 0.015. Dimensions are taken as exchangeable;
--   outlier dimensions that two models share would break that. This judges a correlation of one pair of
--   vectors. A mean over layers is another matter: over 47 independent layers 0.01 would be 4.4 standard
--   deviations from 0, but layers of one model are alike, and how many independent ones they are worth (k_eff)
--   only weights can tell. Observed is the distance.
-- history: v2: names the reading of each row
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
    'plain' as reading,
    'it lies within 1.96 standard deviations of chance' as statement,
    r * sqrt(d - 1) < 1.96 as holds,
    r * sqrt(d - 1) as observed
from correlation
cross join width
