-- id: sionic.figure_8
-- title: Figure 8: layer means 1.0 (GLM), 0.3–0.4 (Solar), 0.8–1.0 (Phi); weights 0.1–0.6 and 0.5–2.0.
-- documents: sionic_ko, sionic_en
-- section: B.3 Figure 8
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 2
-- reading: The norm is not named: input norm, layers 0 to 46 where there are. A level or range said of a line
--   is that of its middle: the median of the layers' means, or the medians of their smallest and of their
--   largest weights, within half a digit of the bounds (a whole digit for GLM's mean, which is said to be
--   about 1.0). Under every_layer, each layer is inside. GLM's range is said of INTELLECT too. Observed is
--   the median mean, or by how much the medians are inside the range; under every_layer, the share of layers
--   inside.
-- history: v2: a line's level is first of all that of its middle; every layer is a reading beside it
with

bounds as (
    select distinct
        item, model_a as model, metric,
        coalesce(low, value - half_digit) - half_digit as low,
        coalesce(high, value + half_digit) + half_digit as high
    from printed
    where item similar to 'sionic.fig8.(mean.(glm|solar|phi)|minmax.*)'
),

lines as (
    select model, mean, min, max
    from vector_stats
    where
        model in ('solar', 'glm', 'intellect', 'phi') and ln_type = 'input_layernorm' and layer <= 46
),

found as (
    select
        item,
        any_value(metric) = 'mean' as is_mean,
        median(mean) as middle,
        middle between any_value(low) and any_value(high) as is_middle_inside,
        least(median(min) - any_value(low), any_value(high) - median(max)) as slack,
        avg(if(metric = 'mean', mean between low and high, min >= low and max <= high)::integer) as share
    from bounds
    left join lines using (model)
    group by item
)

select
    item,
    unnest(['plain', 'every_layer']) as reading,
    unnest([
        if(is_mean, 'the line''s median is at the level', 'the lines'' medians are in the range'),
        'every layer is inside'
    ]) as statement,
    unnest([if(is_mean, is_middle_inside, slack >= 0), share = 1]) as holds,
    unnest([if(is_mean, middle, slack), share]) as observed
from found
order by item, reading
