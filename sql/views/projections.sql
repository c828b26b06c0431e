-- one row per value of a k_proj or v_proj matrix
-- which projection weights were ingested (`--projections`), in long form
--
-- dim: flat index into the matrix, row by row, from 0
select model, layer, ln_type, dim, value
from files.projections
