-- one row per model and base model that it declares, in the order of its documents
-- what models say of their origin, as written by their publishers; nothing here is checked
--
-- base: name or address of the base model, as written
-- relation: finetune, adapter, merge or quantized, as written; NULL where nothing is said
-- read_from: hub metadata, README.md or GGUF header
-- is_stored: whether the model is one of `models`; else it is one of `duplicates`
with

both_kinds as (
    select model, repo, declared_bases, true as is_stored
    from files.models
    union all
    select model, repo, declared_bases, false as is_stored
    from files.duplicates
),

declared as (
    select model, repo, is_stored, unnest(declared_bases) as declared
    from both_kinds
)

select
    model, repo,
    declared['base'] as base,
    declared['relation'] as relation,
    declared['read_from'] as read_from,
    is_stored
from declared
