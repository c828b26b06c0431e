-- id: sionic.e1_glm_layers
-- title: GLM and INTELLECT have 47 layers (Korean table, F.8) or 46 (English table).
-- documents: sionic_ko, sionic_en
-- section: E.1, F.8
-- evidence: weights
-- needs: glm, intellect
-- version: 1
-- reading: The two languages cannot both be right by one way of counting. The plain items count the decoder
--   layers of config.json, as for the other models of the table. @stored counts the layers whose input norm
--   is in the files, which adds GLM's MTP layer, stored as layer 46.
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
    printed_figures.value as expected,
    printed_figures.half_digit as tolerance,
    configured.layer_count as observed
from printed_figures
left join configured using (model)
union all
select
    printed_figures.item || '@stored' as item,
    printed_figures.value as expected,
    printed_figures.half_digit as tolerance,
    stored.layer_count as observed
from printed_figures
left join stored using (model)
order by item
