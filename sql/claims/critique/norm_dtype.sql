-- id: critique.norm_dtype
-- title: A norm weight is stored in two bytes, as FP16.
-- documents: critique_readme
-- section: Technical details
-- evidence: weights
-- needs: solar, glm, phi, mixtral
-- version: 2
-- reading: FP16 is part of a sum of bytes, 4096 · 2 = 8 KB, so plain asks for the size: every input norm of the
--   four mixture-of-experts models is stored in a format of two bytes, F16 or BF16. The reading format asks
--   for F16 itself; BF16 has other bits. Observed is the share of such norms.
-- history: v2: FP16 as a word for two bytes is the plain reading, the format itself the other
with

norms as (
    select dtype
    from tensors
    where ln_type = 'input_layernorm' and model in ('solar', 'glm', 'phi', 'mixtral')
),

shares as (
    select
        avg((dtype in ('F16', 'BF16'))::integer) as two_bytes,
        avg((dtype = 'F16')::integer) as f16
    from norms
)

select
    'critique.readme.dtype_fp16' as item,
    unnest(['plain', 'format']) as reading,
    unnest(['every input norm has two bytes per value', 'every input norm is stored as F16']) as statement,
    unnest([two_bytes = 1, f16 = 1]) as holds,
    unnest([two_bytes, f16]) as observed
from shares
