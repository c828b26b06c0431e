-- one row per norm of a model whose dimensions have a place: its ranks without their smooth part, as they are compared
-- layer by layer; of a norm that has one value in either half nothing is left
with

averaged as (
    select model, part || ' rough' as part, ln_type, layer, rough, mean_of(rough) as middle
    from files.rough_norms
),

centred as (
    select model, part, ln_type, layer, pattern_of(rough, middle) as vector
    from averaged
)

select model, part, ln_type, layer, vector
from centred
where inner_product(vector, vector) > 0
