-- id: sionic.figure_1_ranges
-- title: Figure 1: bars in range and out of step; cosine 0.94–0.99 and Pearson within ±0.05 at all layers.
-- documents: sionic_ko, sionic_en
-- section: 1 Figure 1
-- evidence: weights
-- needs: solar, glm
-- version: 2
-- reading: Input norm. The bars are a sample of 50 values by an unknown seed: their range is read as that of
--   all values of layer 27 but the lowest and highest hundredth (observed: the quantile nearest to leaving
--   the range, as its distance inside). Bars that do not match: |Pearson| at layer 27 is within panel (c)'s
--   band; it is the same before and after the means are taken out. Ranges over layers hold for each of the 47
--   layers; observed is the lowest cosine and the Pearson farthest from 0. Half a digit of tolerance at each
--   end.
-- history: v2: the range of the bars is no longer asked of every value: it is said of the sample
with

bounds as (
    select distinct item, model_a as model, low - half_digit as low, high + half_digit as high
    from printed
    where item in (
        'sionic.fig1a.solar_range', 'sionic.fig1a.glm_range', 'sionic.fig1c.cosine_range',
        'sionic.fig1c.pearson_range'
    )
),

layer_27 as (
    select model, q01, q99
    from vector_stats
    where model in ('solar', 'glm') and ln_type = 'input_layernorm' and layer = 27
),

bars as (
    select item, least(q01 - low, high - q99) as slack
    from bounds
    left join layer_27 using (model)
    where item like 'sionic.fig1a.%'
),

matched as (
    select
        min(cosine) as lowest_cosine, max(cosine) as highest_cosine,
        arg_max(pearson, abs(pearson)) as farthest_pearson,
        max(pearson) filter (layer = 27) as pearson_27
    from matched_layers
    where model_a = 'solar' and model_b = 'glm' and ln_type = 'input_layernorm'
),

found as (
    select item, 'the middle 98 % of the values are inside' as statement, slack >= 0 as holds, slack as observed
    from bars
    union all
    select
        'sionic.fig1.bars_do_not_match' as item,
        'at layer 27 Pearson is inside the band that panel (c) gives for no match' as statement,
        pearson_27 between low and high as holds,
        pearson_27 as observed
    from matched
    join bounds on item = 'sionic.fig1c.pearson_range'
    union all
    select
        item,
        'every layer''s cosine is inside' as statement,
        lowest_cosine >= low and highest_cosine <= high as holds,
        lowest_cosine as observed
    from matched
    join bounds on item = 'sionic.fig1c.cosine_range'
    union all
    select
        item,
        'every layer''s Pearson is inside' as statement,
        farthest_pearson between low and high as holds,
        farthest_pearson as observed
    from matched
    join bounds on item = 'sionic.fig1c.pearson_range'
)

select item, 'plain' as reading, statement, holds, observed
from found
order by item
