-- one row per model
-- what is in this lake, and from which commit of which repo
--
-- layers: number of decoder layers, from config.json or the GGUF header
-- dtype: of most of its norms
-- source: hub, local, replica or toy; an earlier version could store a model of the replica as the hub's, which its
-- commit gives away
select
    model, repo, commit,
    case when commit = sha1('1/' || repo) then 'replica' else source end as source,
    endpoint, licence, architecture, hidden_size, layers, mtp_layers, dtype,
    file_bytes, ingested_at, tool_version, vocab_size, changed_by_format
from files.models
