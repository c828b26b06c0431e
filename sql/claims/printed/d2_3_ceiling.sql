-- id: printed.d2_3_ceiling
-- title: The Solar-GLM cosines printed for matched layers fit the mean and standard deviation of D-2.3.
-- documents: sionic_ko, sionic_en, critique_results, critique_readme
-- section: D-2.3, D-2.1, 1 Figure 1, 3, Background, Experiment 3
-- evidence: printed
-- needs:
-- version: 1
-- reading: D-2.3 gives mean m and standard deviation s over 47 matched layers. None of 47 numbers lies further
--   than s·√46 from their mean (Samuelson), and no average of some of them either, so every Solar-GLM cosine of
--   a layer or of unnamed layers must lie within m ± s·√46, about 0.941 to 0.958. Each figure is taken at the
--   end of its rounding that helps; the input norm is meant throughout. Observed is how far the figure lies
--   outside; 0 is inside. Figures printed more than once are one item.
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

bounds as (
    select
        mean - half_digit - (std + half_digit) * sqrt(n - 1) as lowest,
        mean + half_digit + (std + half_digit) * sqrt(n - 1) as highest
    from summary
    cross join layers
),

cosines as (
    select item, max(value - half_digit) as low, min(value + half_digit) as high
    from printed
    where
        metric = 'cosine'
        and model_a = 'solar'
        and model_b = 'glm'
        and ln_type = 'input_layernorm'
        and relation = '='
        and (layer_a = layer_b or scope = 'overall')
    group by item
)

select
    'printed.d2_3_ceiling.' || item as item,
    'the cosine lies within what D-2.3 allows a layer' as statement,
    low <= highest and high >= lowest as holds,
    greatest(0, low - highest, lowest - high) as observed
from cosines
cross join bounds
order by item
