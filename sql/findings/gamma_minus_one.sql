-- id: findings.gamma_minus_one
-- title: Storing γ − 1 instead of γ would keep more of the pattern in some of ten models and less in others.
-- documents: sionic_ko, sionic_en
-- section: Scale, Scope
-- evidence: weights
-- needs: solar, glm, intellect, phi, mixtral, mistral_7b, yi_6b, yi_9b, internlm2_7b, qwen15_7b
-- version: 2
-- reading: The obvious remedy for a scale near 1 that swamps the pattern. A floating-point step follows the
--   size of the number, so what counts is the step at the mean of γ against that at the mean of γ − 1, plus
--   the spread: the typical size is √(mean² + std²) before and √((mean − 1)² + std²) after. The gain in bits is
--   the logarithm to base 2 of their ratio, the same in BF16 and FP16, averaged over all layers and both norms.
--   It is above 0 only for a model whose weights are nearer to 1 than to 0; for one that has left 1 far below,
--   as the documents say of Solar, γ itself is the better form. Observed is the largest and the smallest gain
--   of a model.
-- history: v2: a finding of ours, no longer a claim; that the models differ is shown, not that all of them gain
with

models_compared as (
    select distinct model_a as model
    from printed
    where metric = 'hidden_size'
),

gains as (
    select
        model,
        avg(log2(sqrt(mean ** 2 + std ** 2) / sqrt((mean - 1) ** 2 + std ** 2))) as bits
    from vector_stats
    where ln_type in ('input_layernorm', 'post_attention_layernorm')
    group by model
),

extremes as (
    select max(bits) as most, min(bits) as least
    from models_compared
    left join gains using (model)
)

select
    unnest(['some_gain', 'some_lose']) as item,
    'plain' as reading,
    unnest(['a model gains bits over all its layers', 'a model loses bits over all its layers']) as statement,
    unnest([most > 0, least < 0]) as holds,
    unnest([most, least]) as observed
from extremes
