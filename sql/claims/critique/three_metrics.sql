-- id: critique.three_metrics
-- title: Pearson and Euclidean distance beside the cosines, between models and within one.
-- documents: critique_results
-- section: 6-2, 6-3, 6-4
-- evidence: weights
-- needs: solar, glm, phi, mixtral
-- version: 2
-- reading: Input norms: layer 10 of three pairs of models; layers 10 and 20, and 0 and 10, of Solar and of
--   GLM. The cosines of these tables are those of experiments 1 to 3 and are judged there.
-- history: v2: names the reading of each row
with

figures as (
    select distinct item, model_a, layer_a, model_b, layer_b, metric, value, half_digit
    from printed
    where section in ('6-2', '6-3', '6-4') and metric in ('pearson', 'l2_distance')
),

between_models as (
    select model_a, layer as layer_a, model_b, layer as layer_b, pearson, l2_distance
    from matched_layers
    where
        model_a in ('solar', 'glm') and model_b in ('glm', 'phi', 'mixtral')
        and ln_type = 'input_layernorm' and layer = 10
),

within_models as (
    select model as model_a, layer_a, model as model_b, layer_b, pearson, l2_distance
    from within_model
    where
        model in ('solar', 'glm') and ln_type = 'input_layernorm'
        and layer_a in (0, 10) and layer_b in (10, 20)
),

measured as (
    from between_models
    union all by name
    from within_models
)

select
    figures.item,
    'plain' as reading,
    figures.value as expected,
    figures.half_digit as tolerance,
    case figures.metric when 'pearson' then measured.pearson else measured.l2_distance end as observed
from figures
left join measured using (model_a, layer_a, model_b, layer_b)
order by figures.item
