-- id: accusation.vocabularies
-- title: Which tokens have which IDs in the two vocabularies, and how these are shifted.
-- documents: accusation_report, accusation_output
-- section: report lines 92-106, 153-161; tokenizer_analysis.json, tokenizer_expansion_analysis.json,
--   out_with_control/statistics.json
-- evidence: untestable
-- needs:
-- version: 1
-- reading: These need the two tokenizers, which are not read here, or the model of a control that gave no value.
--   What follows from the counts that the scripts stored is printed.accusation_vocabulary.
with

said (item, statement) as (
    values
    ('report.vocab.first_1000_ids_0', 'the tokenizers are not read here'),
    ('report.vocab.id_correlation_0_45', 'the tokenizers are not read here'),
    ('report.vocab.id_0', 'the tokenizers are not read here'),
    ('report.vocab.id_1', 'the tokenizers are not read here'),
    ('report.vocab.id_2', 'the tokenizers are not read here'),
    ('report.vocab.ids_0_19', 'the tokenizers are not read here'),
    ('report.high_ids.other_is_cjk', 'the tokenizers are not read here'),
    ('report.high_ids.examples', 'the tokenizers are not read here'),
    ('output.all.id_shift_4096', 'the tokenizers are not read here'),
    ('output.all.first_1000_shifted', 'the tokenizers are not read here'),
    ('output.tok.first_merges', 'the tokenizers are not read here'),
    ('output.control.no_values', 'what a script did not measure cannot be measured again')
)

select
    'accusation.' || item as item,
    'plain' as reading,
    'not decided here: ' || statement as statement,
    null::boolean as holds,
    null::double as observed
from said
order by item
