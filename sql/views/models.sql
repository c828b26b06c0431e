-- one row per model
-- what is in this lake, and from which commit of which repo
--
-- layers: number of decoder layers, from config.json
-- dtype: torch_dtype of config.json
select
    model, repo, commit, source, endpoint, licence, architecture, hidden_size, layers, mtp_layers, dtype,
    file_bytes, ingested_at, tool_version, vocab_size
from files.models
