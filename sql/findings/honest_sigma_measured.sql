-- id: findings.honest_sigma_measured
-- title: At the four layers behind 182 sigma, Solar and GLM stay near chance and a known derivation does not.
-- documents: critique_readme
-- section: Background
-- evidence: weights
-- needs: solar, glm, intellect
-- version: 2
-- reading: As findings.honest_sigma, with the permutation z of the weights, r·√(d − 1): input norms at the layers of
--   the original comparison. Near chance is below the z from which the lineage test speaks of shared history
--   (share_z of lineage_thresholds, five), so that one layer of four a little above 2 does not decide; GLM and
--   INTELLECT are above it at the same layers, so the measure sees a relation where there is one. The four
--   layers are not independent, and no more is made of them together: the mean over all layers is
--   findings.mean_pearson_over_layers. Observed is z, and for the derivation its smallest.
-- history: v2: a finding of ours, no longer a claim; five instead of 1.96 per layer, no root mean square of four
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
    select min(scores.z) as z, count(scores.z) as layers
    from layers
    left join scores on scores.layer = layers.layer and scores.model = 'intellect'
)

select
    'layer' || layer as item,
    'plain' as reading,
    'Solar and GLM are less than ' || share_z || ' standard deviations from chance' as statement,
    abs(z) < share_z as holds,
    z as observed
from disputed
cross join lineage_thresholds()
union all
select
    'derivation' as item,
    'plain' as reading,
    'GLM and INTELLECT are more than ' || share_z || ' off at each of these layers' as statement,
    layers = 4 and z > share_z as holds,
    z as observed
from derived
cross join lineage_thresholds()
order by item
