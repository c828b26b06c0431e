-- id: critique.model_size
-- title: The whole model would be a download of about 100 GB.
-- documents: critique_readme
-- section: GPU requirements, Technical details
-- evidence: weights
-- needs: solar, glm
-- version: 1
-- reading: Which model is not said: Solar, with @glm as the second reading. Observed is the size of its
--   safetensors files in bytes. "About" is taken as within a tenth, as a round figure of one digit needs some
--   room and a factor of two is no longer about.
with

figures as (
    select distinct item, value
    from printed
    where item = 'critique.readme.model_100gb'
),

readings (reading, model) as (
    values ('', 'solar'), ('@glm', 'glm')
)

select
    figures.item || readings.reading as item,
    figures.value as expected,
    figures.value / 10 as tolerance,
    models.file_bytes as observed
from figures
cross join readings
left join models using (model)
order by item
