-- id: critique.header_size
-- title: A few KB of a safetensors header are enough to find a norm in it.
-- documents: critique_readme
-- section: Technical details
-- evidence: weights
-- needs: solar, glm
-- version: 1
-- reading: A header must be read whole. Observed is the shortest header over the shards of Solar and GLM that
--   hold a norm; "a few KB" is read as under 10,000 bytes.
with

headers as (
    select min(header_bytes) as bytes
    from tensors
    where model in ('solar', 'glm') and ln_type not in ('k_proj', 'v_proj')
)

select
    'critique.readme.header_few_kb' as item,
    'the shortest header of a shard with a norm is under 10,000 bytes' as statement,
    bytes < 10000 as holds,
    bytes as observed
from headers
