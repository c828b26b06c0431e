-- one row per norm that enters the lineage test: its ranks, as they are compared layer by layer
select model, part, ln_type, layer, ranks::double[] as vector
from lineage_norms
where dropped is null
