-- id: analytic.significance
-- title: Correlations of about 0.01, and of 0.02 at one layer, over 4096 dimensions are not significant.
-- documents: sionic_ko, sionic_en
-- section: Introduction, 1, 1 Figure 1
-- evidence: analytic
-- needs:
-- version: 3
-- reading: If the dimensions of one vector were shuffled at random, r would have mean 0 and standard
--   deviation 1 / √(d − 1), so r·√(d − 1) is its distance from chance in standard deviations; significant at 5
--   % means 1.96 or more. The printed 0.01 is taken at its upper end, 0.015. Dimensions are taken as
--   exchangeable; outlier dimensions that two models share would break that. The plain reading judges a
--   correlation of one pair of vectors. mean_over_layers: elsewhere the document gives 0.01 as the mean over
--   47 layers (Summary, section 2). If layers were independent, that mean would be √47 times as far from
--   chance. They are not: layers of one model are alike, and how many independent ones they are worth (k_eff)
--   only weights can tell (findings.mean_pearson_over_layers). The 0.02 of Figure 1 is that of one layer,
--   taken at its upper end likewise. Observed is the distance.
-- history: v2: names the reading of each row
-- history: v3: the mean over layers, which is what the document averages, is a reading of its own
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
),

compared_layers as (
    select max(value) as layers
    from printed
    where item = 'sionic.fig1c.layer_count_47' and metric = 'layer_count' and relation = '='
)

select
    'sionic.intro.pearson_not_significant' as item,
    unnest(['plain', 'mean_over_layers']) as reading,
    unnest([
        'one pair of vectors lies within 1.96 standard deviations of chance',
        'so does a mean over 47 layers, were they independent'
    ]) as statement,
    unnest([r * sqrt(d - 1) < 1.96, r * sqrt(layers * (d - 1)) < 1.96]) as holds,
    unnest([r * sqrt(d - 1), r * sqrt(layers * (d - 1))]) as observed
from correlation
cross join width
cross join compared_layers
union all
select
    'sionic.fig1.r_0_02_negligible', 'plain', 'it lies within 1.96 standard deviations of chance',
    r * sqrt(d - 1) < 1.96, r * sqrt(d - 1)
from (
    select max(value + half_digit) as r
    from printed
    where item = 'sionic.fig1b.pearson'
)
cross join width
