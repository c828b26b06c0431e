-- one row per matrix, or part of one, that rows were read from
-- what was read of the other weights (`just ingest … --slices`), and its checksum
--
-- dtype: type of the stored values, before they became FLOAT
select model, matrix, layer, expert, tensor, shard, dtype, rows, tensor_rows, columns, bytes, sha256
from files.slices
