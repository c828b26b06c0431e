-- id: sanity.question
-- title: Is a high cosine of norms evidence of reuse: the question, its chart and the rules of thumb of its script.
-- documents: sanity, sanity_script
-- section: title, chart, summary of probe_layernorm_sanity.py
-- evidence: untestable
-- needs:
-- version: 1
-- reading: A question, what a chart shows, and rules of thumb: nothing to decide. The document gives no
--   verdict on Solar. Its measurements, layer by layer, are the table measured.
with

said (item, statement) as (
    values
    ('question', 'a question'),
    ('hypothesis.positive_start', 'finished weights do not show where training began'),
    ('output.files', 'what a run writes'),
    ('figure.blue', 'which line shows what; its values are in the table measured'),
    ('figure.red', 'which line shows what; its values are in the table measured'),
    ('figure.green', 'which line shows what; its values are in the table measured'),
    ('rule.original_like_shuffled', 'a rule of thumb of the script'),
    ('rule.real_similarity', 'a rule of thumb of the script'),
    ('rule.no_pattern', 'a rule of thumb of the script'),
    ('rule.genuine_pattern', 'a rule of thumb of the script')
)

select
    'sanity.' || item as item,
    'plain' as reading,
    'not decided here: ' || statement as statement,
    null::boolean as holds,
    null::double as observed
from said
