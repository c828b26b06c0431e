-- id: critique.moe_and_dense_pairs
-- title: Layer-10 cosines are as high between mixture-of-experts and dense models, and among dense ones.
-- documents: critique_results
-- section: Experiment 5
-- evidence: weights
-- needs: solar, glm, phi, mixtral, mistral_7b, yi_6b, yi_9b, qwen15_7b
-- version: 2
-- reading: The table counts 16 and 6 pairs, those of four dense models; the list at the end names five, which
--   would make 20 and 10 (printed.exp5_counts). The figures come with the counts, so these four are meant:
--   all but InternLM2, which the document's own heatmap does not show. Each pair counts once; standard
--   deviation as of a population, as in experiment 3.
-- history: v2: one reading, by the printed counts; with all five models the figures could never hold too
with

figures as (
    select distinct item, scope, aggregate, value, half_digit
    from printed
    where
        document = 'critique_results' and metric = 'cosine'
        and scope in ('moe_non_moe_pairs', 'non_moe_pairs')
),

cosines as (
    select
        cosine,
        (model_a in ('solar', 'glm', 'phi', 'mixtral'))::integer
        + (model_b in ('solar', 'glm', 'phi', 'mixtral'))::integer as moe_models
    from matched_layers
    where
        model_a < model_b and ln_type = 'input_layernorm' and layer = 10
        and model_a in ('solar', 'glm', 'phi', 'mixtral', 'mistral_7b', 'yi_6b', 'yi_9b', 'qwen15_7b')
        and model_b in ('solar', 'glm', 'phi', 'mixtral', 'mistral_7b', 'yi_6b', 'yi_9b', 'qwen15_7b')
),

summed_up as (
    select
        case moe_models when 1 then 'moe_non_moe_pairs' else 'non_moe_pairs' end as scope,
        avg(cosine) as mean,
        stddev_pop(cosine) as std
    from cosines
    where moe_models < 2
    group by scope
)

select
    figures.item,
    'plain' as reading,
    figures.value as expected,
    figures.half_digit as tolerance,
    case figures.aggregate when 'mean' then summed_up.mean else summed_up.std end as observed
from figures
left join summed_up using (scope)
order by figures.item
