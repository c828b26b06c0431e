-- one row: the lake that this catalog reads
-- what the numbers come from, and whether they are evidence
with

-- by xor: what gathered models come to need not be asked again when another arrives, and their order does not count
summed_up as (
    select format('{:012x}', coalesce(bit_xor(mark), 0)) as fingerprint
    from files.marks
)

select lake, models::bigint as models, sources, fingerprint, caution
from _caution, summed_up, files.catalog
