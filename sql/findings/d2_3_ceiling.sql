-- id: findings.d2_3_ceiling
-- title: Cosines of 0.98 and 0.99 printed for Solar and GLM are impossible beside mean and deviation of D-2.3.
-- documents: sionic_ko, sionic_en, critique_results, critique_readme
-- section: D-2.3, 1 Figure 1, Background, Experiment 3
-- evidence: printed
-- needs:
-- version: 2
-- reading: D-2.3 gives mean m and standard deviation s over 47 matched layers. None of 47 numbers lies further
--   than s·√46 from their mean (Samuelson), and no average of some of them either, so every Solar-GLM cosine of
--   a layer or of some layers would lie within m ± s·√46, about 0.941 to 0.958. Held against it: layer 27 of
--   Figure 1, layer 10 of experiment 3, and the 0.989 that the critique quotes of the earlier analysis (four
--   layers). Each figure is taken at the end of its rounding that helps; the input norm is meant throughout.
--   Observed is how far the figure lies above.
-- history: v2: a finding of ours, no longer a claim; three places instead of every repetition of them
with

summary as (
    select
        max(value) filter (aggregate = 'mean') as mean,
        max(value) filter (aggregate = 'std') as std,
        max(half_digit) as half_digit
    from printed
    where section = 'D-2.3' and scope = 'matched_layers' and metric = 'cosine'
),

layers as (
    select max(value) as n
    from printed
    where item = 'sionic.fig1c.layer_count_47' and relation = '='
),

ceiling as (
    select mean + half_digit + (std + half_digit) * sqrt(n - 1) as highest
    from summary
    cross join layers
),

compared (name, item) as (
    values
    ('figure_1', 'sionic.fig1a.cosine'),
    ('experiment_3', 'critique.exp3.cosine.solar_glm'),
    ('earlier_analysis', 'critique.readme.bg.cross_0_989')
),

cosines as (
    select compared.name, min(value - half_digit) as low
    from compared
    left join printed using (item)
    group by compared.name
)

select
    name as item,
    'plain' as reading,
    'the cosine is above what D-2.3 allows any layer' as statement,
    low > highest as holds,
    low - highest as observed
from cosines
cross join ceiling
order by name
