-- id: sionic.figure_4_pearson
-- title: Figure 4: Phi's Pearson with Solar and GLM is 0.01–0.02, like theirs; Phi's weights are near 1.
-- documents: sionic_ko, sionic_en
-- section: 4, 4 Figure 4
-- evidence: weights
-- needs: solar, glm, phi
-- version: 3
-- reading: Input norm, layers 0 to 31 of the Phi pairs. Pearson at the layer with the highest cosine, within
--   half a digit of the range; under all_layers, its mean over the layers, as in the document's table of all
--   pairs. The range over all layers (observed: the one farthest from 0), within half a digit. That the best
--   layers were chosen cannot be checked: their numbers are in the image only, and images are not read. Phi near
--   1.0: the mean of all its weights is nearer to 1 than to 0. Indistinguishable: each Phi pair's Pearson differs
--   from Solar–GLM's at layer 27 by less than 1.96 standard deviations √(2/(d−1)) of a difference of two chance
--   correlations; observed is the larger difference in deviations.
-- history: v2: Pearson may also be the mean over layers; near 1.0 is asked of all weights together, not of
--   each layer's mean to 0.05; the rule for the best layer is left open, where any single best layer passed
-- history: v3: says that the layer numbers are in an image, which is not read
with

bounds as (
    select distinct item, model_a, model_b, scope, low - half_digit as low, high + half_digit as high
    from printed
    where item like 'sionic.fig4.pearson%'
),

matched as (
    select model_a, model_b, layer, d, cosine, pearson
    from matched_layers
    where model_a in ('solar', 'glm') and model_b in ('glm', 'phi') and ln_type = 'input_layernorm'
),

phi_pairs as (
    select
        model_a, model_b,
        arg_max(pearson, cosine) as best_pearson,
        avg(pearson) as mean_pearson,
        arg_max(pearson, abs(pearson)) as farthest_pearson
    from matched
    where model_b = 'phi'
    group by model_a, model_b
),

solar_glm as (
    select pearson, d
    from matched
    where model_a = 'solar' and model_b = 'glm' and layer = 27
),

differences as (
    select max(abs(phi_pairs.best_pearson - solar_glm.pearson) / sqrt(2 / (solar_glm.d - 1))) as deviations
    from phi_pairs
    cross join solar_glm
),

phi_weights as (
    select avg(mean) as average
    from vector_stats
    where model = 'phi' and ln_type = 'input_layernorm'
)

select
    item,
    unnest(['plain', 'all_layers']) as reading,
    unnest(['in the range at the best layer', 'in the range on average']) as statement,
    unnest([best_pearson between low and high, mean_pearson between low and high]) as holds,
    unnest([best_pearson, mean_pearson]) as observed
from bounds
left join phi_pairs using (model_a, model_b)
where scope = 'best_layer'
union all
select item, 'plain', 'in the range at every layer', farthest_pearson between low and high, farthest_pearson
from bounds
left join phi_pairs using (model_a, model_b)
where scope = 'matched_layers'
union all
select
    'sionic.fig4.layer_rule_max_cosine' as item,
    'plain' as reading,
    'the numbers of the layers chosen are only in the image, and images are not read' as statement,
    null::boolean as holds,
    null::double as observed
union all
select 'sionic.s4.phi_near_1', 'plain', 'the mean weight is nearer to 1 than to 0', average between 0.5 and 1.5, average
from phi_weights
union all
select 'sionic.s4.phi_pairs_like_solar_glm', 'plain', 'differences are within chance', deviations < 1.96, deviations
from differences
order by item, reading
