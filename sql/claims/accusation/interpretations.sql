-- id: accusation.interpretations
-- title: High cosines mean weights that were preserved, cosines near 0 weights that were retrained.
-- documents: accusation, accusation_report, accusation_output
-- section: lines 45-50, 95, 239, 251, 258-260; report lines 26-28, 78, 182-184; proof_analysis.png
-- evidence: untestable
-- needs:
-- version: 1
-- reading: What figures are read as. Weights that were retrained and weights that never were the same have the
--   same cosine, about 0; norms that were preserved and norms of independent models have cosines above 0.98
--   (accusation.independent_models). So the figures do not tell these apart; a correlation of norms could show
--   preserved ones. That descent explains the rise with depth, or that a common start cannot, would take pairs of
--   such histories and of that depth with another tokenizer, which are not among the models trained here.
with

said (item, statement) as (
    values
    ('readme.types.others_retrained', 'weights that never were the same have the same cosine'),
    ('readme.bytes.transformed_then_retrained', 'weights that never were the same have the same cosine'),
    ('readme.final.attention_retraining_confirmed', 'weights that never were the same have the same cosine'),
    ('readme.conclusion.embeddings_retrained', 'weights that never were the same have the same cosine'),
    ('readme.conclusion.attention_retrained', 'weights that never were the same have the same cosine'),
    ('readme.conclusion.router_retrained', 'weights that never were the same have the same cosine'),
    ('report.core.embeddings_retrained', 'weights that never were the same have the same cosine'),
    ('report.core.heads_reduced', 'weights that never were the same have the same cosine'),
    ('readme.types.norms_preserved', 'norms of independent models have such a cosine, too'),
    ('readme.layers.from_5_preserved', 'norms of independent models have such a cosine, too'),
    ('report.core.norms_mostly_kept', 'norms of independent models have such a cosine, too'),
    ('report.gradient.deep_layers_keep_glm', 'norms of independent models have such a cosine, too'),
    ('output.final.both_uninformative', 'how informative a figure is, is a judgement'),
    ('report.hyp.same_start.gradient', 'no model trained here has this history and this depth'),
    ('report.hyp.descent.gradient', 'no model trained here has this history and this depth')
)

select
    'accusation.' || item as item,
    'plain' as reading,
    'not decided here: ' || statement as statement,
    null::boolean as holds,
    null::double as observed
from said
order by item
