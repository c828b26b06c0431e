-- id: critique.header_size
-- title: A few KB of a safetensors header are enough to find a norm in it.
-- documents: critique_readme
-- section: Technical details
-- evidence: weights
-- needs: solar, glm, phi, mixtral, mistral_7b, yi_6b, yi_9b, internlm2_7b, qwen15_7b
-- version: 2
-- reading: A comment in the function that fetches a norm, of whichever model; a header must be read whole. Its
--   point is that a header is nothing beside a model: plain, the header of every file with an input norm of
--   the nine models is counted in KB, below 100,000 bytes. single_digit takes "a few" at its word: half of
--   these headers are below 10,000 bytes. Observed is the longest header, then the median.
-- history: v2: the nine models instead of Solar and GLM; "a few KB" as a hedge; names the readings
with

headers as (
    select distinct model, shard, header_bytes
    from tensors
    where
        ln_type = 'input_layernorm' and model in (
            'solar', 'glm', 'phi', 'mixtral', 'mistral_7b', 'yi_6b', 'yi_9b', 'internlm2_7b', 'qwen15_7b'
        )
),

lengths as (
    select max(header_bytes) as longest, median(header_bytes) as middle
    from headers
)

select
    'critique.readme.header_few_kb' as item,
    unnest(['plain', 'single_digit']) as reading,
    unnest(['no header is 100,000 bytes long', 'half of the headers are under 10,000 bytes']) as statement,
    unnest([longest < 100000, middle < 10000]) as holds,
    unnest([longest, middle]) as observed
from lengths
