-- id: cisco.signal
-- title: How the signal NLF is computed, and what it is for two pairs of released models.
-- documents: cisco
-- section: NLF
-- evidence: untestable
-- needs:
-- version: 1
-- reading: What a program does, and figures of models that are in no lake here.
with

said (item, statement) as (
    values
    ('similarity', 'how a program works; programs of others are not run here'),
    ('pair_llama_2_chat', 'these models are not among those read here'),
    ('pair_llama_mistral', 'these models are not among those read here'),
    ('scan', 'how a program works; programs of others are not run here'),
    ('stats_mode', 'how a program works; what is rare is a word of degree'),
    ('fallback', 'how a program works; programs of others are not run here')
)

select
    'cisco.nlf.' || item as item,
    'plain' as reading,
    'not decided here: ' || statement as statement,
    null::boolean as holds,
    null::double as observed
from said
