-- id: accusation.presumed
-- title: Presumed steps from GLM to Solar, and presumptions about code and licences.
-- documents: accusation, accusation_report
-- section: lines 118-132, 303-315; report lines 125, 188-218
-- evidence: untestable
-- needs:
-- version: 1
-- reading: Both pages head the steps as presumed, and the README heads what follows line 299 as presumption. The
--   steps are a history, which weights do not tell; code and licence lines are not weights, and the repositories
--   that hold them are not read here.
with

said (item, statement) as (
    values
    ('readme.process.norms_kept', 'a presumed step of a history, which norms do not tell'),
    ('readme.process.attention_retrained', 'a presumed step of a history, which norms do not tell'),
    ('readme.process.router_retrained', 'a presumed step of a history, which norms do not tell'),
    ('readme.process.tokenizer_extended', 'a presumed step of a history, which norms do not tell'),
    ('readme.process.two_layers_added', 'a presumed step of a history, which norms do not tell'),
    ('readme.process.mtp_removed', 'a presumed step of a history, which norms do not tell'),
    ('report.process.tokenizer', 'a presumed step of a history, which norms do not tell'),
    ('report.process.embeddings', 'a presumed step of a history, which norms do not tell'),
    ('report.process.heads', 'a presumed step of a history, which norms do not tell'),
    ('report.process.layers', 'a presumed step of a history, which norms do not tell'),
    ('report.process.mtp', 'a presumed step of a history, which norms do not tell'),
    ('report.process.pretraining', 'a presumed step of a history, which norms do not tell'),
    ('readme.presumed.code_for_layers_above_46', 'source code is not read here'),
    ('readme.presumed.licence_lines_added', 'the history of files at the hub is not read here'),
    ('readme.presumed.chinese_code_submitted', 'a presumption about what was submitted'),
    ('report.emb.hello_example', 'given as an example')
)

select
    'accusation.' || item as item,
    'plain' as reading,
    'not decided here: ' || statement as statement,
    null::boolean as holds,
    null::double as observed
from said
order by item
