-- one row per model
-- what is in this lake, and from which commit of which repo
--
-- layers: number of decoder layers, from config.json or the GGUF header
-- dtype: of most of its norms
-- source: hub, local, replica or toy; what an earlier version took from the replica for the hub's is called replica
select
    model, repo, commit,
    case when commit = sha1('1/' || repo) then 'replica' else source end as source,
    endpoint, licence, architecture, hidden_size, layers, mtp_layers, dtype,
    file_bytes, ingested_at, tool_version, vocab_size, changed_by_format
from files.models
