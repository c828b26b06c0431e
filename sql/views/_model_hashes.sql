-- one row per model: what it adds to the fingerprint of its lake
-- 48 bits of the sha256 of what it is; the catalog stores the xor of all in files.lake_hash
select
    model,
    (
        '0x' || left(
            sha256(concat_ws(chr(9), model, repo, commit, source, norms_digest, projections_digest) || chr(10)), 12
        )
    )::bigint as model_hash
from models
