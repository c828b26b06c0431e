-- id: normhouse.honest_sigma
-- title: Against chance, the comparison behind 182 sigma is worth about one sigma, by the printed figures.
-- documents: critique_readme, critique_results, sionic_ko, sionic_en
-- section: Background, 6-2, 6-3, 6-4, D-2.1
-- evidence: printed
-- needs:
-- version: 1
-- reading: 182 is a difference of cosines in units of how much eight of them vary by layer
--   (printed.background); it says nothing about chance. Shuffle the dimensions of one vector: the mean over
--   all shuffles of the cosine is exactly its offset share, and the distance of the true cosine from there in
--   standard deviations is exactly z = r·√(d − 1), the same for cosine and Pearson. So the printed Pearsons of
--   Solar and GLM at layers 10, 20, 30 and 40 give the honest number; each must be below 1.96. And by that
--   measure the "low" baseline, layer 0 against 10 of one model, must stand further from chance than Solar
--   against GLM does: the order that the argument rests on is reversed. d = 4096. Observed is z.
with

width as (
    select max(value) as d
    from printed
    where item = 'sionic.e1.hidden_dim.solar'
),

correlations as (
    select
        document,
        section,
        layer_a,
        max(value) as r
    from printed
    where
        metric = 'pearson'
        and model_a = 'solar'
        and model_b = 'glm'
        and (section = '6-2' or section = 'D-2.1' and layer_a in (10, 20, 30, 40))
    group by document, section, layer_a
),

baselines as (
    select model_a as model, max(value) as r
    from printed
    where section = '6-4' and metric = 'pearson'
    group by model_a
),

across as (
    select max(r) as r from correlations where section = '6-2'
)

select distinct
    'normhouse.honest_sigma.'
    || case section when '6-2' then 'critique' else 'sionic' end || '_layer' || layer_a as item,
    'Solar and GLM are within 1.96 standard deviations of chance' as statement,
    abs(r) * sqrt(d - 1) < 1.96 as holds,
    r * sqrt(d - 1) as observed
from correlations
cross join width
union all
select
    'normhouse.honest_sigma.layer_0_of_' || model as item,
    'layers 0 and 10 of one model stand further from chance than Solar and GLM' as statement,
    baselines.r > across.r as holds,
    baselines.r * sqrt(d - 1) as observed
from baselines
cross join across
cross join width
order by item
