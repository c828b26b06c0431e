-- one row per norm that enters the lineage test, of a model whose dimensions have a place: its ranks without their
-- smooth part, as they are compared layer by layer
with

placed as (
    select places.model
    from places, lineage_thresholds() as thresholds
    where places.place_z >= thresholds.place_z
),

roughened as (
    select model, part || ' rough' as part, ln_type, layer, without_smooth_part(ranks, d) as rough
    from lineage_norms
    where dropped is null and model in (select model from placed)
),

averaged as (
    select model, part, ln_type, layer, rough, mean_of(rough) as middle
    from roughened
),

centred as (
    select model, part, ln_type, layer, pattern_of(rough, middle) as vector
    from averaged
)

select model, part, ln_type, layer, vector
from centred
where inner_product(vector, vector) > 0
