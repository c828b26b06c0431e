-- id: sionic.figure_10
-- title: Figure 10: input minus post-attention norm is a vector of 4096 values in each layer of Solar and GLM.
-- documents: sionic_ko, sionic_en
-- section: D, D.1 Figure 10
-- evidence: weights
-- needs: solar, glm
-- version: 2
-- reading: The document prints no result for this figure, only the size of the vector. Observed is the
--   smallest width of the difference over all layers that have both norms in one width.
-- history: v2: names its reading
with

printed_figures as (
    select distinct item, value, half_digit
    from printed
    where item = 'sionic.fig10.diff_vector_4096'
),

widths as (
    select min(d) as width
    from within_layer
    where model in ('solar', 'glm')
)

select
    printed_figures.item,
    'plain' as reading,
    printed_figures.value as expected,
    printed_figures.half_digit as tolerance,
    widths.width as observed
from printed_figures
cross join widths
