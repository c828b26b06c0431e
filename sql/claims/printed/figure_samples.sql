-- id: printed.figure_samples
-- title: What Figures 6, 7 and 9 leave out, and the settings behind Figures 7 and 9.
-- documents: sionic_ko, sionic_en
-- section: B.1 Figure 6, B.2 Figure 7, C Figure 9, F.7, F.8
-- evidence: printed
-- needs:
-- version: 2
-- reading: Each is a choice that the authors made and state, no finding: a definition. What is checked is that all
--   places print the same one and that it is possible. Figure 6: 100 of 4096 dimensions, in both languages, in text
--   and limits. Figure 7: three components from the layers that the shortest model has, 32 of each of four models.
--   Figure 9: every third layer, which is 16 ridges whether the model has 46, 47 or 48 layers; 60 bins, printed alike
--   in both languages (what falls outside of them: findings.figure_9_histogram).
-- history: v2: names its reading
with

figures as (
    select item, document, metric, scope, model_a, section, value, low, high
    from printed
    where document in ('sionic_ko', 'sionic_en')
),

model_layers as (
    select min(value) as fewest, count(distinct model_a) as models
    from figures
    where section = 'E.1' and metric = 'layer_count'
),

ridges as (
    select
        count(distinct ceil(layers.unnest / figures.value)) as counts,
        min(ceil(layers.unnest / figures.value)) as ridges,
        count(distinct figures.value) as steps
    from figures
    cross join unnest([46, 47, 48]) as layers
    where figures.item = 'sionic.fig9.every_third_layer'
)

select
    'sionic.f7.histogram_bins' as item,
    'plain' as reading,
    'both languages print one number of bins over one range' as statement,
    count(distinct value) = 1 and count(distinct(low, high)) filter (low is not null) = 1
    and count(distinct document) = 2 as holds,
    max(value) as observed
from figures
where item = 'sionic.f7.histogram_bins'
union all
select
    'sionic.f7.pca_components' as item,
    'plain' as reading,
    'the layers kept are those of the shortest model, more than components' as statement,
    count(distinct figures.value) = 1 and max(figures.value) < any_value(fewest * models)
    and any_value(fewest) = any_value(shown.value) as holds,
    any_value(fewest * models) as observed
from figures
cross join model_layers
join figures as shown on shown.scope = 'figure_7' and shown.metric = 'layer_count'
where figures.item = 'sionic.f7.pca_components'
union all
select
    'sionic.fig6.first_100_dims' as item,
    'plain' as reading,
    'text and limits agree on the dimensions shown, fewer than all' as statement,
    count(distinct value) = 2 and min(value) < max(value) as holds,
    min(value) as observed
from figures
where item = 'sionic.fig6.first_100_dims'
union all
select
    'sionic.fig9.every_third_layer' as item,
    'plain' as reading,
    'one step everywhere, and as many ridges for 46, 47 or 48 layers' as statement,
    steps = 1 and counts = 1 as holds,
    ridges as observed
from ridges
order by item
