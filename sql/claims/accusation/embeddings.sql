-- id: accusation.embeddings
-- title: Embeddings of shared tokens have a cosine of about 0, which fits descent with a new vocabulary.
-- documents: accusation, accusation_report, accusation_output
-- section: lines 50, 54-79, 84, 258; report lines 19, 108-142, 182-184, 246-247; compare_embeddings.py lines
--   12-13, embedding_comparison.py lines 269-280
-- evidence: slices
-- needs:
-- version: 1
-- reading: Embedding rows are kept as slices (ingest with --slices), of tokens of our own choosing; the tokens
--   that were compared here are not known one by one, so that their means and spreads cannot be recomputed. What
--   retraining or a common start leaves of embeddings would need the slices of models with such histories, which
--   do not ship. The published output of the scripts is beside the figures.
with

said (item, statement) as (
    values
    ('readme.types.embed_0_002', 'the compared rows of embed_tokens are not in a lake'),
    ('readme.emb.count', 'the compared rows of embed_tokens are not in a lake'),
    ('readme.emb.english', 'the compared rows of embed_tokens are not in a lake'),
    ('readme.emb.std', 'the compared rows of embed_tokens are not in a lake'),
    ('readme.emb.share_above_0_9', 'the compared rows of embed_tokens are not in a lake'),
    ('readme.emb.share_below_0_1', 'the compared rows of embed_tokens are not in a lake'),
    ('readme.emb.baseline_0_009', 'the compared rows of embed_tokens are not in a lake'),
    ('readme.insight.embeddings_0', 'the compared rows of embed_tokens are not in a lake'),
    ('report.emb.count_300', 'the compared rows of embed_tokens are not in a lake'),
    ('report.emb.mean_minus_0_001', 'the compared rows of embed_tokens are not in a lake'),
    ('report.emb.above_0_9', 'the compared rows of embed_tokens are not in a lake'),
    ('report.emb.below_0_5', 'the compared rows of embed_tokens are not in a lake'),
    ('readme.emb.zero_fits_descent', 'needs embeddings of models whose vocabulary was replaced'),
    ('readme.emb.all_must_be_retrained', 'needs embeddings of models whose vocabulary was replaced'),
    ('readme.emb.retraining_gives_zero', 'needs embeddings of models whose vocabulary was replaced'),
    ('report.rebuilt_needs_new_embeddings', 'needs embeddings of models whose vocabulary was replaced'),
    ('report.fits.three_steps', 'needs embeddings of models whose vocabulary was replaced'),
    ('report.hyp.descent.embeddings', 'needs embeddings of models whose vocabulary was replaced'),
    ('report.final.zero_fits_gradient', 'needs embeddings of models whose vocabulary was replaced'),
    ('output.emb.expectation', 'needs embeddings of models whose vocabulary was replaced'),
    ('report.hyp.independent.embeddings', 'needs embeddings of independent models and of models of one start'),
    ('report.hyp.same_start.embeddings', 'needs embeddings of independent models and of models of one start'),
    ('output.emb.rule_0_2', 'needs embeddings of independent models and of models of one start')
)

select
    'accusation.' || item as item,
    'plain' as reading,
    'not decided here: ' || statement as statement,
    null::boolean as holds,
    null::double as observed
from said
order by item
