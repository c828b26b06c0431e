-- id: critique.hidden_size
-- title: All nine models that the experiments compare are 4096 wide.
-- documents: critique_results, critique_now
-- section: Experiment 5, Models
-- evidence: weights
-- needs: solar, glm, phi, mixtral, mistral_7b, yi_6b, yi_9b, internlm2_7b, qwen15_7b
-- version: 3
-- reading: The width is the number of weights in the layer-10 input norm, the vector that is compared, and
--   must be the printed one in each listed model. Observed is the number of models where it is.
-- history: v2: names the reading of each row
-- history: v3: judges the width that the current README gives Solar and GLM, too
with

figures as (
    select distinct item, model_a as model, value
    from printed
    where item in ('critique.exp5.all_hidden_4096', 'critique.now.models.solar_glm_4096')
),

widths as (
    select model, d
    from vector_stats
    where ln_type = 'input_layernorm' and layer = 10
)

select
    figures.item,
    'plain' as reading,
    'each of the listed models has the printed width' as statement,
    bool_and(coalesce(widths.d = figures.value, false)) as holds,
    count_if(widths.d = figures.value) as observed
from figures
left join widths using (model)
group by figures.item
