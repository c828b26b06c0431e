-- id: findings.bf16_steps
-- title: In none of ten models does the scale swamp the pattern: every norm spreads over more than one BF16 step.
-- documents: sionic_ko, sionic_en
-- section: Scale
-- evidence: weights
-- needs: solar, glm, intellect, phi, mixtral, mistral_7b, yi_6b, yi_9b, internlm2_7b, qwen15_7b
-- version: 2
-- reading: The document warns that a large common scale can swamp the fine pattern and leaves the numbers to
--   future work. Here they are: the step of BF16 at a vector's mean against its standard deviation, in every
--   layer and both norms. Below one step the pattern is mostly lost; no layer is (by the step at the mean, a
--   few times coarser or finer at the outliers). FP16 has three bits more, so its count is eight times as
--   high while weights are above 6e-5, its smallest normal number. Observed is the fewest BF16 steps that a
--   standard deviation of any layer has. By layer: select model, layer, ln_type, std / bf16_step(mean) from
--   vector_stats.
-- history: v2: a finding of ours, no longer a claim; checks have short names
with

models_compared as (
    select distinct model_a as model
    from printed
    where metric = 'hidden_size'
),

steps as (
    select model, layer, ln_type, std / bf16_step(mean) as bf16_steps
    from vector_stats
    where ln_type in ('input_layernorm', 'post_attention_layernorm')
)

select
    model as item,
    'plain' as reading,
    'a standard deviation is more than one BF16 step in every layer' as statement,
    min(bf16_steps) > 1 as holds,
    min(bf16_steps) as observed
from models_compared
left join steps using (model)
group by model
order by model
