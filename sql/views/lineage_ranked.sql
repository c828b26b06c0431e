-- one row per norm that enters the lineage test, as it is compared layer by layer: its ranks
-- which vectors of two models belong together, where nothing stands in the way (`lineage_changed` has the others)
--
-- norm: which vectors of two models belong together
-- over_layers: whether it is a sum over layers
-- smoothless: whether the smooth part is taken out
-- norms: how many norms it is made of
-- vector: ranks
-- length: of the vector
-- owner: the vectors of one owner are correlated with each other
select
    model, part, layer, ln_type, d, key_of(ln_type, layer) as norm, false as over_layers, false as smoothless,
    1 as norms, ranks as vector, sqrt(inner_product(ranks, ranks)) as length,
    owner_of(model, part, false, false) as owner
from lineage_norms
where dropped is null
