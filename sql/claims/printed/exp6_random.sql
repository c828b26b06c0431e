-- id: printed.exp6_random
-- title: Model similarity is to be compared with the random baseline, and the printed figures allow it.
-- documents: critique_results
-- section: 6 interpretation, 6-1, 6-2, 6-3, 6-4
-- evidence: printed
-- needs:
-- version: 1
-- reading: The document asks whether models are significantly more alike than random vectors and leaves the
--   answer out. The figures give it: random vectors of mean 1 and standard deviation 0.1 have a mean cosine
--   above all six layer-10 cosines of experiment 3, so by the cosine no pair is more alike than chance. Their
--   Pearsons stand within two random standard deviations of 0, while layers 10 and 20 of one model stand
--   dozens above; layers 0 and 10 of one model lie in between. Observed is in cosine, then in random standard
--   deviations.
with

random as (
    select
        max(value) filter (metric = 'cosine' and aggregate = 'mean') as cosine,
        max(value) filter (metric = 'pearson' and aggregate = 'std') as pearson_std
    from printed
    where section = '6-1'
),

between_models as (
    select max(value) as highest_cosine
    from printed
    where section = 'Experiment 3' and metric = 'cosine' and aggregate is null
),

pearsons as (
    select section, max(abs(value)) as highest, min(abs(value)) as lowest
    from printed
    where section in ('6-2', '6-3', '6-4') and metric = 'pearson'
    group by section
)

select
    'critique.exp6.compare_with_random' as item,
    'no pair of models has a cosine above the random mean' as statement,
    highest_cosine < cosine as holds,
    highest_cosine - cosine as observed
from between_models
cross join random
union all
select
    case section
        when '6-2' then 'printed.exp6_pearson_between_models'
        when '6-3' then 'printed.exp6_pearson_within_model'
        when '6-4' then 'printed.exp6_pearson_layer_0'
    end as item,
    case section
        when '6-2' then 'between models every Pearson is within 2 random standard deviations'
        when '6-3' then 'between layers 10 and 20 every Pearson is above 10 of them'
        when '6-4' then 'between layers 0 and 10 every Pearson is above 2 of them'
    end as statement,
    case section
        when '6-2' then highest < 2 * pearson_std
        when '6-3' then lowest > 10 * pearson_std
        when '6-4' then lowest > 2 * pearson_std
    end as holds,
    case section when '6-2' then highest else lowest end / pearson_std as observed
from pearsons
cross join random
order by item
