-- id: findings.checkpoint_size
-- title: At the README's own two bytes per value, Solar and GLM are nearer to 200 GB than to its about 100 GB.
-- documents: critique_readme, sionic_ko, sionic_en
-- section: GPU requirements, Technical details, E.1
-- evidence: printed
-- needs:
-- version: 2
-- reading: An observation beside the point of that README, which is how little of a model it reads. Two bytes per
--   value, times the parameters that sionic prints for Solar and GLM, is nearer to twice the printed size than
--   to the size itself. Observed is the size in bytes.
-- history: v2: a finding of ours, no longer a claim; about 100 GB is given half as much again
with

size as (
    select max(value) as bytes
    from printed
    where item = 'critique.readme.model_100gb'
),

value_width as (
    select max(value) as bytes
    from printed
    where metric = 'bytes_per_value'
),

parameters as (
    select model_a as model, max(value) as parameters
    from printed
    where item in ('sionic.e1.params.solar', 'sionic.e1.params.glm')
    group by model_a
)

select
    model as item,
    'plain' as reading,
    'the model is more than one and a half times as large' as statement,
    parameters * value_width.bytes > 1.5 * size.bytes as holds,
    parameters * value_width.bytes as observed
from parameters
cross join size
cross join value_width
order by model
