-- one row: the lake that this catalog reads
-- what the numbers come from, and whether they are evidence
with

-- xor does not depend on the order of models
hashed as (
    select format('{:012x}', coalesce(bit_xor(model_hash), 0)) as fingerprint
    from files.lake_hash
)

select lake, models::bigint as models, sources, fingerprint, caution
from _caution, hashed, files.catalog
