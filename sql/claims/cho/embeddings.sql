-- id: cho.embeddings
-- title: Embeddings: cosine and Pearson of about 0.002, completely different. Routers: a Pearson of 0.0037.
-- documents: cho, cho_output
-- section: 3. Embedding Comparison; out_comprehensive/statistics.json
-- evidence: slices
-- needs:
-- version: 2
-- reading: Embedding rows are kept as slices (ingest with --slices), of tokens of our own choosing; which
--   tokens were compared here is not known, so that the means cannot be recomputed. A lake has no routers.
-- history: v2: the published output's figure of the routers is an item
with

said (item, statement) as (
    values
    ('emb.cosine_0_002', 'the compared rows of embed_tokens are not in a lake'),
    ('emb.pearson_0_002', 'the compared rows of embed_tokens are not in a lake'),
    ('emb.completely_different', 'the compared rows of embed_tokens are not in a lake'),
    ('output.pearson_router', 'routers are not in a lake')
)

select
    'cho.' || item as item,
    'plain' as reading,
    'not decided here: ' || statement as statement,
    null::boolean as holds,
    null::double as observed
from said
