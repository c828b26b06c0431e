-- id: sionic.e1_glm_layers
-- title: GLM and INTELLECT have 47 layers (Korean table, F.8) or 46 (English table).
-- documents: sionic_ko, sionic_en
-- section: E.1, F.8
-- evidence: weights
-- needs: glm, intellect
-- version: 2
-- history: v2: each of the two counts is its own item with the one way of counting that gives it for GLM
-- reading: Each count is taken in the way that fits GLM, so that both can be right. 46 counts the decoder
--   layers of config.json, as for the other models of the table. 47 counts the layers whose input norm is in
--   the files, 0 to 46 as in F.8 and the figures: one more is GLM's MTP layer, stored as layer 46.
with

printed_figures as (
    select distinct item, model_a as model, value, half_digit
    from printed
    where item similar to 'sionic.e1.layers.(glm|intellect)_.*'
),

configured as (
    select model, layers as layer_count
    from models
),

stored as (
    select model, count(*) as layer_count
    from vector_stats
    where ln_type = 'input_layernorm'
    group by model
)

select
    printed_figures.item,
    'plain' as reading,
    printed_figures.value as expected,
    printed_figures.half_digit as tolerance,
    if(ends_with(printed_figures.item, '_47'), stored.layer_count, configured.layer_count) as observed
from printed_figures
left join configured using (model)
left join stored using (model)
order by printed_figures.item
