-- id: critique.model_size
-- title: The whole model would be a download of about 100 GB.
-- documents: critique_readme
-- section: GPU requirements, Technical details
-- evidence: weights
-- needs: solar, glm, phi, mixtral
-- version: 2
-- reading: Which model is not said. Plain: one of the four mixture-of-experts models, the nearest; the readings
--   solar and glm take the two in dispute. Observed is the size of its safetensors files in bytes. "About" is
--   taken as within a tenth, as a round figure of one digit needs some room and a factor of two is no longer
--   about.
-- history: v2: the plain reading is any of the four large models, not Solar
with

figures as (
    select distinct item, value
    from printed
    where item = 'critique.readme.model_100gb'
),

readings (reading, model) as (
    values
    ('plain', 'solar'), ('plain', 'glm'), ('plain', 'phi'), ('plain', 'mixtral'), ('solar', 'solar'), ('glm', 'glm')
),

sizes as (
    select model, file_bytes from models
)

select
    figures.item,
    readings.reading,
    figures.value as expected,
    figures.value / 10 as tolerance,
    arg_min(sizes.file_bytes, abs(sizes.file_bytes - figures.value)) as observed
from figures
cross join readings
left join sizes using (model)
group by figures.item, readings.reading, figures.value
order by readings.reading
