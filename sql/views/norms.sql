-- one row per value of a norm vector
-- the weights as stored: the long form that any other tool reads from Parquet
select model, layer, ln_type, dim, value
from files.norms
