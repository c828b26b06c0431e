-- one row per model
-- what is in this lake, and from which commit of which repo
--
-- layers: number of decoder layers, from config.json or the GGUF header
-- dtype: of most of its norms
select
    model, repo, commit, source, endpoint, licence, architecture, hidden_size, layers, mtp_layers, dtype,
    file_bytes, ingested_at, tool_version, vocab_size, changed_by_format, renamed_to
from files.models
