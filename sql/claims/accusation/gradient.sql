-- id: accusation.gradient
-- title: The rise of the cosine with depth is a sign of a rebuilt tokenizer, which independent training cannot
--   give.
-- documents: accusation, accusation_report
-- section: line 94; report lines 18, 75, 182, 229
-- evidence: weights
-- needs: solar, glm, phi
-- version: 2
-- reading: A sign of a cause must be absent without the cause. So pairs and layers without it are looked at, in
--   input norms: Solar-Phi and GLM-Phi, which nobody calls related, and layer 0 within GLM, where no tokenizer
--   changed. Low at layer 0 for the tokenizer's sake: plain, as the critique's sentence of the same cause
--   (critique.layer_0_influence), what can be seen of it: Solar and GLM are less alike at layer 0 than at any other;
--   observed is the step to the next. only_cause: without it layer 0 is not low: the cosine of GLM's layer 0 with its
--   own layer 10 is 0.5 or more; observed is that cosine. The rise as a signature, or impossible without descent: no
--   unrelated pair rises from layer 0 to the mean of layers 5 to 31 by more than 0.1; observed is the largest
--   rise.
-- history: v2: the cause of the low layer 0 is read as the critique's sentence of the same cause is
with

unrelated as (
    select
        model_a,
        avg(cosine) filter (layer between 5 and 31) - max(cosine) filter (layer = 0) as rise
    from matched_layers
    where model_a in ('solar', 'glm') and model_b = 'phi' and ln_type = 'input_layernorm'
    group by model_a
),

steepest as (
    select max(rise) as rise
    from unrelated
),

own as (
    select max(cosine) as cosine
    from within_model
    where model = 'glm' and ln_type = 'input_layernorm' and layer_a = 0 and layer_b = 10
),

least_alike as (
    select min(cosine) filter (layer > 0) - max(cosine) filter (layer = 0) as step
    from matched_layers
    where model_a = 'solar' and model_b = 'glm' and ln_type = 'input_layernorm' and layer <= 45
),

checks (item, reading, statement, holds, observed) as (
    select
        'readme.layers.layer0_cause_tokenizer', 'plain', 'layer 0 is less alike than any other', step > 0, step
    from least_alike
    union all
    select
        'readme.layers.layer0_cause_tokenizer', 'only_cause',
        'within GLM, layers 0 and 10 have a cosine of 0.5 or more', cosine >= 0.5, cosine
    from own
    union all
    select
        unnest(['report.gradient_signature', 'report.hyp.independent.gradient']), 'plain',
        'neither Solar-Phi nor GLM-Phi rises by more than 0.1', rise <= 0.1, rise
    from steepest
)

select 'accusation.' || item as item, reading, statement, holds, observed
from checks
order by item, reading desc
