-- id: printed.now_findings
-- title: The current README's key findings and observed ranges are those of RESULTS.md.
-- documents: critique_now
-- section: Summary, Key findings, Models, Observed ranges, File tree
-- evidence: printed
-- needs:
-- version: 1
-- reading: Each figure is compared with those of RESULTS.md that it sums up, of one commit with the page:
--   all of them are within it, rounded or cut off, so from half a digit below the lower end to a whole digit
--   above the upper one; observed is the one farthest from the middle. Inside: the cosine of Solar and GLM is
--   between the lowest and the highest of the five other pairs of experiment 3; observed is how far from the
--   nearer end. Models: those of the list in RESULTS.md. Experiments: those that RESULTS.md has figures of.
with

summed_up (name, pattern) as (
    values
    ('summary.moe_non_0_972', 'critique.exp5.mean.moe_non'),
    ('summary.non_non_0_974', 'critique.exp5.mean.non_non'),
    ('found.layer0_10_cosine', 'critique.exp1.(solar|glm).l0_l10'),
    ('found.layer0_10_pearson', 'critique.exp6_4.pearson.(solar|glm)'),
    ('found.layer10_20_cosine', 'critique.exp2.(solar|glm).l10_l20'),
    ('found.layer10_20_pearson', 'critique.exp6_3.pearson.(solar|glm)'),
    ('found.solar_glm_cosine', 'critique.exp3.cosine.solar_glm'),
    ('found.solar_glm_pearson', 'critique.exp6_2.pearson.solar_glm'),
    ('found.random_cosine', 'critique.exp6_1.mean.cosine'),
    ('found.random_pearson', 'critique.exp6_1.mean.pearson'),
    ('range.layer0', 'critique.exp1.(solar|glm).l0_l[1-4]0'),
    ('range.adjacent', 'critique.exp2.(solar|glm).l[12]0_l[23]0'),
    ('range.moe', 'critique.exp3.cosine.*')
),

said as (
    select
        item, coalesce(value, low) - half_digit as least, coalesce(value, high) + 2 * half_digit as most
    from printed
    where document = 'critique_now' and item like 'critique.now.%'
),

results as (
    select distinct item, value
    from printed
    where
        document = 'critique_results' and metric in ('cosine', 'pearson')
        and (aggregate is not null or layer_a is not null)
),

compared as (
    select
        said.item, min(results.value) >= said.least and max(results.value) < said.most as holds,
        arg_max(results.value, abs(results.value - (said.least + said.most) / 2)) as observed
    from summed_up
    join said on said.item = 'critique.now.' || summed_up.name
    left join results on regexp_full_match(results.item, summed_up.pattern)
    group by said.item, said.least, said.most
),

pairs_of_others as (
    select
        min(value) filter (item not like '%solar_glm') as lowest,
        max(value) filter (item not like '%solar_glm') as highest,
        max(value) filter (item like '%solar_glm') as solar_glm
    from results
    where item like 'critique.exp3.cosine.%'
),

listed as (
    select
        count(distinct model_a) filter (section = 'Models' and metric = 'hidden_size') as models,
        count(distinct section) filter (section like 'Experiment %') as experiments
    from printed
    where document = 'critique_results'
)

select item, 'plain' as reading, 'the figures of RESULTS.md are within it' as statement, holds, observed
from compared
union all
select
    'critique.now.range.solar_glm_inside', 'plain', 'other pairs are below and above',
    lowest < solar_glm and solar_glm < highest, least(solar_glm - lowest, highest - solar_glm)
from pairs_of_others
union all
select said.item, 'plain', 'RESULTS.md lists as many models', models between least and most, models
from said
cross join listed
where said.item = 'critique.now.models.nine_listed'
union all
select
    said.item, 'plain', 'RESULTS.md has figures of as many experiments', experiments between least and most, experiments
from said
cross join listed
where said.item = 'critique.now.tree.six_experiments'
