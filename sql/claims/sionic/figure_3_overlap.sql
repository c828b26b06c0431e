-- id: sionic.figure_3_overlap
-- title: INTELLECT's norms are GLM's almost everywhere, yet not the same numbers.
-- documents: sionic_ko, sionic_en
-- section: 3 Figure 3, E.1
-- evidence: weights
-- needs: glm, intellect
-- version: 2
-- reading: Input norm, 46 layers. Bars overlap: at layer 41 the mean of |difference| is below a hundredth of
--   the standard deviation of GLM's weights, the size of the centred bars. Close to 1.0: every layer within
--   half a digit (0.05); observed is the lowest. Differences exist: in at least one layer; observed is the
--   number of layers with any. That INTELLECT was fine-tuned from GLM-4.5-Air cannot be read from norms:
--   those of two models that were both made from one base would be as alike.
-- history: v2: how INTELLECT was made is no longer taken to follow from likeness
with

near_one as (
    select distinct item, value - half_digit as low
    from printed
    where item in ('sionic.fig3c.cosine_all_layers', 'sionic.fig3c.pearson_all_layers')
),

glm_spread as (
    select max(std) as std
    from vector_stats
    where model = 'glm' and ln_type = 'input_layernorm' and layer = 41
),

input_norm as (
    select
        min(cosine) as lowest_cosine, min(pearson) as lowest_pearson,
        count_if(changed_ratio > 0) as changed_layers,
        max(mean_abs_diff) filter (layer = 41) as diff_41
    from matched_layers
    where model_a = 'glm' and model_b = 'intellect' and ln_type = 'input_layernorm'
),

found as (
    select
        item,
        'every layer is within half a digit of the printed figure' as statement,
        if(item like '%cosine%', lowest_cosine, lowest_pearson) >= low as holds,
        if(item like '%cosine%', lowest_cosine, lowest_pearson) as observed
    from near_one
    cross join input_norm
    union all
    select
        'sionic.fig3.bars_overlap' as item,
        'layer 41 differs by less than a hundredth of its spread' as statement,
        diff_41 < 0.01 * std as holds,
        diff_41 / std as observed
    from input_norm
    cross join glm_spread
    union all
    select 'sionic.fig3c.tiny_differences_exist', 'some layer changed', changed_layers > 0, changed_layers
    from input_norm
    union all
    select
        'sionic.s3.intellect_is_sft_of_glm45air' as item,
        'norms show likeness, not what a model was made from or how' as statement,
        null::boolean as holds,
        null::double as observed
)

select item, 'plain' as reading, statement, holds, observed
from found
order by item
