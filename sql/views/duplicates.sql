-- one row per model that a crawl did not store, because its norms are those of a stored one, value for value
-- whatever is true of the norms of same_as is true of its own; `models` and `nearest` have the stored ones only
--
-- model: what it would be called in models
-- same_as: stored model with the same norms; NULL if the lake has none any more, and then the next crawl reads it again
-- layers: number of decoder layers, from config.json or the GGUF header
-- dtype: of most of its norms
-- norms_digest: sha256 of its norms, as models has it
-- ingested_at: when it was read
-- declared_bases: base models that it declares (view `declarations`); NULL if none
with

stored as (
    select norms_digest, min(model) as same_as
    from files.models
    group by norms_digest
)

select
    model, same_as, repo, commit, source, endpoint, licence, architecture, hidden_size, layers, mtp_layers, dtype,
    file_bytes, ingested_at, tool_version, vocab_size, changed_by_format, renamed_to, norms_digest,
    declared_bases
from files.duplicates
left join stored using (norms_digest)
