-- id: sionic.figure_8
-- title: Figure 8: layer means 1.0 (GLM), 0.3–0.4 (Solar), 0.8–1.0 (Phi); weights 0.1–0.6 and 0.5–2.0.
-- documents: sionic_ko, sionic_en
-- section: B.3 Figure 8
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 1
-- reading: The norm is not named: input norm, layers 0 to 46 where there are. A range is said of whole
--   lines, so it must hold for every layer: its mean, or its smallest and largest weight, within half a digit
--   of the bounds. GLM's range is said of INTELLECT too. Observed is the share of layers inside.
with

bounds as (
    select distinct
        item, model_a as model, metric,
        coalesce(low, value) - half_digit as low, coalesce(high, value) + half_digit as high
    from printed
    where item similar to 'sionic.fig8.(mean.(glm|solar|phi)|minmax.*)'
),

lines as (
    select model, mean, min, max
    from vector_stats
    where
        model in ('solar', 'glm', 'intellect', 'phi') and ln_type = 'input_layernorm' and layer <= 46
),

inside as (
    select
        item,
        avg(if(metric = 'mean', mean between low and high, min >= low and max <= high)::integer) as share
    from bounds
    left join lines using (model)
    group by item
)

select
    item,
    'every layer is inside' as statement,
    share = 1 as holds,
    share as observed
from inside
order by item
