-- one row per norm that enters the lineage test, of a model whose dimensions have a fixed order: its ranks without
-- their smooth part
-- what the table detrended_ranks stores
with

placed as materialized (
    select model
    from files.sketches as sketches, lineage_thresholds() as thresholds
    where sketches.position_z >= thresholds.position_z
)

-- ranks are whole or half numbers, and means are of two or three
select
    model, kind, layer, ln_type, d,
    list_transform(without_smooth_part(ranks, d), lambda x: round(12 * x)) as detrended_ranks
from lineage_norms
where dropped is null and model in (select model from placed)
