-- id: sionic.a1_norms
-- title: Solar's and GLM's norms have no bias; every layer has two norms, distributed differently.
-- documents: sionic_ko, sionic_en
-- section: A.1, C, D.1
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 2
-- history: v2: names the reading
-- reading: No β: none of the norm tensors in the model's files is a bias; observed is their number.
--   That they are RMSNorms, which subtract no mean, the weights do not tell. Two
--   positions: each layer of the four models has an input and a post-attention norm; observed is the smallest
--   number a layer has. Where they stand in a block, the weights do not tell. Distributed differently: in
--   more than half of the layers of Solar and of GLM the two means are farther apart than both standard
--   deviations together; observed is the smaller share of the two models.
with

positions as (
    select max(value) as wanted
    from printed
    where item = 'sionic.a1.two_positions'
),

without_beta as (
    select unnest(['solar', 'glm']) as model
),

biases as (
    select without_beta.model, sum(ends_with(tensors.ln_type, '_bias')::integer) as tensors_of_beta
    from without_beta
    left join tensors using (model)
    group by without_beta.model
),

block_norms as (
    select model, layer, ln_type, mean, std
    from vector_stats
    where
        model in ('solar', 'glm', 'intellect', 'phi')
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

layers as (
    select
        model, layer,
        count(*) as norms,
        max(mean) - min(mean) > sum(std) as are_apart
    from block_norms
    group by model, layer
),

separated_layers as (
    select model, avg(are_apart::integer) as share
    from layers
    where model in ('solar', 'glm')
    group by model
)

select
    'sionic.a1.rmsnorm_no_beta.' || model as item,
    'plain' as reading,
    'no norm has a bias' as statement,
    tensors_of_beta = 0 as holds,
    tensors_of_beta as observed
from biases
union all
select
    'sionic.a1.two_positions' as item,
    'plain' as reading,
    'every layer has both norms' as statement,
    min(norms) = max(wanted) as holds,
    min(norms) as observed
from layers
cross join positions
union all
select
    'sionic.a1.input_post_distributions_differ' as item,
    'plain' as reading,
    'in most layers the means are apart by more than both deviations' as statement,
    min(share) > 0.5 as holds,
    min(share) as observed
from separated_layers
order by item
