-- id: findings.mean_pearson_over_layers
-- title: The mean Pearson of Solar and GLM is beyond chance only if a model's layers count as independent.
-- documents: sionic_ko, sionic_en
-- section: 2, D-2.3
-- evidence: weights
-- needs: solar, glm
-- version: 1
-- reading: The documents print a mean of 0.0130 over the matched layers and call it negligible. A test of one vector
--   does not apply to a mean of many: if all n layers were independent, its z would be mean·√(n·(d − 1)). But a
--   model's layers resemble each other. Under one joint permutation of the dimensions of one model the sum of
--   the correlations has mean 0 and variance Σ R_a·R_b / (d − 1) over all pairs of layers, where R holds the
--   Pearsons of a model's own layers; so n layers are worth k_eff = n² / Σ R_a·R_b independent ones, and
--   z_eff = mean·√(k_eff·(d − 1)). Input norms, all layers that both have. Both are shown: z_eff is within 1.96,
--   z_naive is above it. The lineage test does the same with the ranks of both norms: select z_naive, k_eff,
--   z_eff from lineage('solar', 'glm').
with

matched as (
    select avg(pearson) as mean, count(*) as n, any_value(d) as d
    from matched_layers
    where model_a = 'solar' and model_b = 'glm' and ln_type = 'input_layernorm'
),

own_layers as (
    select model, layer_a, layer_b, pearson
    from within_model
    where model in ('solar', 'glm') and ln_type = 'input_layernorm'
),

-- a layer with itself has 1 in both models: n of those, and the ordered pairs of different layers
resemblance as (
    select n + sum(a.pearson * b.pearson) as overlap
    from own_layers as a
    join own_layers as b using (layer_a, layer_b)
    cross join matched
    where a.model = 'solar' and b.model = 'glm'
    group by n
),

scores as (
    select
        n,
        n ** 2 / overlap as k_eff,
        mean * sqrt(n * (d - 1)) as z_naive,
        mean * sqrt(k_eff * (d - 1)) as z_eff
    from matched
    cross join resemblance
)

select
    unnest(['z_naive', 'k_eff', 'z_eff']) as item,
    'plain' as reading,
    unnest([
        'with layers as independent, the mean is more than 1.96 standard deviations from chance',
        'the layers are worth fewer independent ones than there are',
        'with k_eff, the mean is within 1.96 standard deviations of chance'
    ]) as statement,
    unnest([abs(z_naive) > 1.96, k_eff < n, abs(z_eff) < 1.96]) as holds,
    unnest([z_naive, k_eff, z_eff]) as observed
from scores
