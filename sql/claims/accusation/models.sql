-- id: accusation.models
-- title: Width, layers, vocabulary and MTP layers of GLM and Solar, and that no tensor is the same in both.
-- documents: accusation
-- section: lines 104-114, 238, 302
-- evidence: weights
-- needs: solar, glm
-- version: 1
-- reading: As the models' own configurations say, of which normhouse stores these. Rows with two figures hold if
--   both are right, and observed is Solar's. GLM's MTP layer, and none in Solar; that it was "removed" is part of
--   the presumed steps (accusation.presumed). No identical tensor: of the tensors that are read here, norms and
--   final norms; observed is the number of equal checksums of one name. The page counts more kinds of tensors.
with

figures as (
    select distinct item, model_a as model, metric, scope, value
    from printed
    where document = 'accusation'
),

known as (
    select
        model,
        unnest(['hidden_size', 'layer_count', 'vocab_size', 'count']) as metric,
        unnest([hidden_size, layers, vocab_size, mtp_layers]) as value
    from models
    where model in ('solar', 'glm')
),

numbers as (
    select
        item, bool_and(coalesce(known.value = figures.value, false)) as holds,
        max(known.value) filter (model = 'solar') as observed
    from figures
    left join known using (model, metric)
    where
        item like 'accusation.readme.arch.%' and metric in ('hidden_size', 'layer_count', 'vocab_size')
        or item = 'accusation.readme.presumed.solar_48_layers'
    group by item
),

mtp as (
    select
        max(value) filter (model = 'glm') = 1 and max(value) filter (model = 'solar') = 0 as holds,
        max(value) filter (model = 'glm') as observed
    from known
    where metric = 'count'
),

identical as (
    select count(*) as tensors
    from tensors as a
    join tensors as b using (tensor, sha256)
    where a.model = 'solar' and b.model = 'glm'
)

select item, 'plain' as reading, 'as the configurations have it' as statement, holds, observed::double as observed
from numbers
union all
select
    'accusation.readme.arch.mtp_layers' as item, 'plain' as reading, 'one in GLM, none in Solar' as statement, holds,
    observed
from mtp
union all
select
    'accusation.readme.bytes.no_identical_tensor' as item, 'plain' as reading,
    'no norm of one name has the same checksum in both' as statement, tensors = 0 as holds, tensors as observed
from identical
order by item
