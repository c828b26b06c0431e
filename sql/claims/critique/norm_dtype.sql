-- id: critique.norm_dtype
-- title: Norm weights are stored as FP16.
-- documents: critique_readme
-- section: Technical details
-- evidence: weights
-- needs: solar, glm, phi, mixtral
-- version: 1
-- reading: Every input norm of the four mixture-of-experts models has the type F16 in its file. BF16 is
--   another format of the same size, and does not count. Observed is the share of F16.
with

norms as (
    select dtype
    from tensors
    where ln_type = 'input_layernorm' and model in ('solar', 'glm', 'phi', 'mixtral')
)

select
    'critique.readme.dtype_fp16' as item,
    'every input norm is stored as F16' as statement,
    bool_and(dtype = 'F16') as holds,
    avg((dtype = 'F16')::integer) as observed
from norms
