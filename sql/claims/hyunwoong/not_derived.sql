-- id: hyunwoong.not_derived
-- title: Solar is not derived from GLM.
-- documents: hyunwoong
-- section: Title, 5
-- evidence: weights
-- needs: solar, glm, phi, intellect
-- version: 1
-- reading: Norm weights cannot settle where a model comes from; the document's own conclusion is only that
--   they give no consistent evidence. What they can show is whether Solar carries GLM's pattern as a known
--   descendant does. Measure: mean Pearson correlation with GLM over both norms of layers 0 to 31, which all
--   four models have. It holds if Solar's is nearer to that of Phi, which nobody calls related, than to that
--   of INTELLECT, which was fine-tuned from GLM. Observed is Solar's.
with

by_model as (
    select model_a as model, avg(pearson) as pearson
    from matched_layers
    where
        model_a in ('solar', 'phi', 'intellect') and model_b = 'glm' and layer between 0 and 31
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
    group by model_a
),

side_by_side as (
    select
        max(pearson) filter (model = 'solar') as solar,
        max(pearson) filter (model = 'phi') as unrelated,
        max(pearson) filter (model = 'intellect') as derived
    from by_model
)

select
    'hyunwoong.title.not_derived' as item,
    'Solar''s correlation with GLM is nearer to Phi''s than to INTELLECT''s' as statement,
    abs(solar - unrelated) < abs(solar - derived) as holds,
    solar as observed
from side_by_side
