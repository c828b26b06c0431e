-- id: cho.embeddings
-- title: Embeddings: cosine and Pearson of about 0.002, completely different.
-- documents: cho
-- section: 3. Embedding Comparison
-- evidence: slices
-- needs:
-- version: 1
-- reading: Embedding rows are kept as slices (ingest with --slices), of tokens of our own choosing; which
--   tokens were compared here is not known, so that the means cannot be recomputed.
with

said (item, statement) as (
    values
    ('cosine_0_002', 'the compared rows of embed_tokens are not in a lake'),
    ('pearson_0_002', 'the compared rows of embed_tokens are not in a lake'),
    ('completely_different', 'the compared rows of embed_tokens are not in a lake')
)

select
    'cho.emb.' || item as item,
    'plain' as reading,
    'not decided here: ' || statement as statement,
    null::boolean as holds,
    null::double as observed
from said
