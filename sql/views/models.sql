-- one row per model
-- what is in this lake, and from which commit of which repo
--
-- layers: number of decoder layers, from config.json or the GGUF header
-- dtype: of most of its norms
-- source: hub, local, replica or toy, or unknown if the lake says anything else; a replica's commit makes it a replica
-- registry_repo: repo of the registry that it was read from, at a hub; NULL of all else, of which no claim is judged
-- norms_digest: sha256 of its norms as written, whatever file they are in
-- tensors_digest: the same of its rows of tensors
-- projections_digest: the same of its projections; NULL if it has none
-- files: its files as written, with their size and sha256
-- declared_bases: base models that it declares (view `declarations`); NULL if none
select
    model, repo, commit,
    case
        when commit = sha1('1/' || repo) then 'replica'
        when source in ('hub', 'local', 'replica', 'toy') then source
        else 'unknown'
    end as source,
    endpoint, licence, architecture, hidden_size, layers, mtp_layers, dtype,
    file_bytes, ingested_at, tool_version, vocab_size, changed_by_format, renamed_to,
    registry_repo, norms_digest, tensors_digest, projections_digest, files, declared_bases
from files.models
