-- id: sionic.figure_3_overlap
-- title: INTELLECT's norms are GLM's almost everywhere, yet not the same numbers: one was made from the other.
-- documents: sionic_ko, sionic_en
-- section: 3 Figure 3, E.1
-- evidence: weights
-- needs: glm, intellect
-- version: 1
-- reading: Input norm, 46 layers, unless said. Bars overlap: at layer 41 the mean of |difference| is below a
--   hundredth of the standard deviation of GLM's weights, the size of the centred bars. Close to 1.0: every
--   layer within half a digit (0.05); observed is the lowest. Differences exist: in at least one layer;
--   observed is the number of layers with any. That INTELLECT is fine-tuned from GLM-4.5-Air, weights cannot
--   show; what derivation would leave behind they can: every layer of both norms has a Pearson above 0.99,
--   and values moved. Observed is the lowest Pearson.
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

post_norm as (
    select min(pearson) as lowest_pearson
    from matched_layers
    where model_a = 'glm' and model_b = 'intellect' and ln_type = 'post_attention_layernorm'
)

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
    'all layers of both norms correlate above 0.99, and some values differ' as statement,
    least(input_norm.lowest_pearson, post_norm.lowest_pearson) > 0.99 and changed_layers > 0 as holds,
    least(input_norm.lowest_pearson, post_norm.lowest_pearson) as observed
from input_norm
cross join post_norm
order by item
