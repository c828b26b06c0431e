-- id: printed.checkpoint_size
-- title: A whole model is about 100 GB.
-- documents: critique_readme, sionic_ko, sionic_en
-- section: GPU requirements, Technical details, E.1
-- evidence: printed
-- needs:
-- version: 1
-- reading: The README means the models it downloads norms of. Its own figure of two bytes a value, times the
--   parameters that sionic prints for Solar and GLM, must be 100 GB within half a digit of 1 GB plus the
--   rounding of the parameter count. It is twice that.
with

size as (
    select max(value) as bytes, max(half_digit) as half_digit
    from printed
    where item = 'critique.readme.model_100gb'
),

value_width as (
    select max(value) as bytes
    from printed
    where metric = 'bytes_per_value'
),

parameters as (
    select model_a as model, max(value) as parameters, max(half_digit) as half_digit
    from printed
    where item in ('sionic.e1.params.solar', 'sionic.e1.params.glm')
    group by model_a
)

select
    'printed.checkpoint_size.' || model as item,
    size.bytes as expected,
    size.half_digit + parameters.half_digit * value_width.bytes as tolerance,
    parameters * value_width.bytes as observed
from parameters
cross join size
cross join value_width
order by model
