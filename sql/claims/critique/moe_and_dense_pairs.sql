-- id: critique.moe_and_dense_pairs
-- title: Layer-10 cosines are as high between mixture-of-experts and dense models, and among dense ones.
-- documents: critique_results
-- section: Experiment 5
-- evidence: weights
-- needs: solar, glm, phi, mixtral, mistral_7b, yi_6b, yi_9b, internlm2_7b, qwen15_7b
-- version: 1
-- reading: The document lists five dense models, which make 20 and 10 pairs, but counts 16 and 6, those of
--   four. The list is the main reading. @without_internlm2 leaves out the one that the document's own heatmap
--   does not show and has the printed counts. Each pair counts once; standard deviation as of a population.
with

figures as (
    select distinct item, scope, aggregate, value, half_digit
    from printed
    where
        document = 'critique_results' and metric = 'cosine'
        and scope in ('moe_non_moe_pairs', 'non_moe_pairs')
),

cosines as (
    select model_a, model_b, cosine
    from matched_layers
    where
        model_a < model_b and ln_type = 'input_layernorm' and layer = 10
        and model_a in (
            'solar', 'glm', 'phi', 'mixtral', 'mistral_7b', 'yi_6b', 'yi_9b', 'internlm2_7b', 'qwen15_7b'
        )
        and model_b in (
            'solar', 'glm', 'phi', 'mixtral', 'mistral_7b', 'yi_6b', 'yi_9b', 'internlm2_7b', 'qwen15_7b'
        )
),

sorted as (
    select
        *,
        (model_a in ('solar', 'glm', 'phi', 'mixtral'))::integer
        + (model_b in ('solar', 'glm', 'phi', 'mixtral'))::integer as moe_models,
        'internlm2_7b' in (model_a, model_b) as has_internlm2
    from cosines
    where moe_models < 2
),

summed_up as (
    select
        case moe_models when 1 then 'moe_non_moe_pairs' else 'non_moe_pairs' end as scope,
        reading,
        avg(cosine) as mean,
        stddev_pop(cosine) as std
    from sorted
    cross join (values ('', true), ('@without_internlm2', false)) as readings (reading, takes_internlm2)
    where takes_internlm2 or not has_internlm2
    group by scope, reading
)

select
    figures.item || coalesce(summed_up.reading, '') as item,
    figures.value as expected,
    figures.half_digit as tolerance,
    case figures.aggregate when 'mean' then summed_up.mean else summed_up.std end as observed
from figures
left join summed_up using (scope)
order by item
