-- id: normhouse.honest_sigma_measured
-- title: Against chance, the comparison behind 182 sigma is worth about one sigma, measured on the weights.
-- documents: critique_readme
-- section: Background
-- evidence: weights
-- needs: solar, glm, intellect
-- version: 1
-- reading: As normhouse.honest_sigma, with the permutation z of the weights, r·√(d − 1): Solar and GLM, input
--   norms, at the layers of the original comparison. Each must be below 1.96, and the root mean square of the
--   four too, which stays honest although layers of one model resemble each other. The known derivation, GLM
--   and INTELLECT, must be above 10 at the same layers: the test sees a relation where there is one. Observed
--   is z, and for the derivation its smallest.
with

layers as (
    select unnest([10, 20, 30, 40]) as layer
),

scores as (
    select model_b as model, layer, permutation_z as z
    from matched_layers
    where ln_type = 'input_layernorm' and model_a = 'glm' and model_b in ('solar', 'intellect')
),

disputed as (
    select layers.layer, scores.z
    from layers
    left join scores on scores.layer = layers.layer and scores.model = 'solar'
),

derived as (
    select layers.layer, scores.z
    from layers
    left join scores on scores.layer = layers.layer and scores.model = 'intellect'
)

select
    'normhouse.honest_sigma_measured.layer' || layer as item,
    'Solar and GLM are within 1.96 standard deviations of chance' as statement,
    abs(z) < 1.96 as holds,
    z as observed
from disputed
union all
select
    'normhouse.honest_sigma_measured.together' as item,
    'the root mean square of the four is below 1.96' as statement,
    sqrt(avg(z ** 2)) < 1.96 as holds,
    sqrt(avg(z ** 2)) as observed
from disputed
union all
select
    'normhouse.honest_sigma_measured.derivation' as item,
    'GLM and INTELLECT are above 10 at each of these layers' as statement,
    min(z) > 10 as holds,
    min(z) as observed
from derived
order by item
