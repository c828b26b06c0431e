-- one row per vector
-- where the bytes of a vector are in the model's files, and their checksum
--
-- dtype: type of the stored values, before they became FLOAT
select
    model, layer, ln_type, tensor, shard, dtype, is_rounded, values, byte_begin, byte_end, sha256,
    header_bytes
from files.tensors
