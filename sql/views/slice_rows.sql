-- one row per row read of an embedding, gate or up matrix
-- the weights of single tokens and neurons, which lineage compares beside the norms
--
-- anchor: the token's string, brought to one form; NULL for gate and up
select model, matrix, layer, expert, row, anchor, weights
from files.slice_rows
