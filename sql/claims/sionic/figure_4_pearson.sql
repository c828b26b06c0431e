-- id: sionic.figure_4_pearson
-- title: Figure 4: Phi's Pearson with Solar and GLM is 0.01–0.02, like theirs; Phi's weights are near 1.
-- documents: sionic_ko, sionic_en
-- section: 4, 4 Figure 4
-- evidence: weights
-- needs: solar, glm, phi
-- version: 1
-- reading: Input norm, layers 0 to 31 of the Phi pairs. Pearson at the layer with the highest cosine, and
--   the range over all layers (observed: the one farthest from 0), within half a digit. Layer numbers are not
--   printed, so the rule is checked for being one: each Phi pair has a single layer of highest cosine;
--   observed is how many do. Phi near 1.0: the mean of every layer within half a digit; observed is the mean
--   farthest off. Indistinguishable: each Phi pair's Pearson differs from Solar–GLM's at layer 27 by less
--   than 1.96 standard deviations √(2/(d−1)) of a difference of two chance correlations; observed is the
--   larger difference in deviations.
with

bounds as (
    select distinct
        item, model_a, model_b, scope,
        coalesce(low, value) - half_digit as low, coalesce(high, value) + half_digit as high
    from printed
    where item similar to 'sionic.(fig4.pearson.*|s4.phi_near_1)'
),

matched as (
    select
        model_a, model_b, layer, d, cosine, pearson,
        max(cosine) over (partition by model_a, model_b) as highest
    from matched_layers
    where model_a in ('solar', 'glm') and model_b in ('glm', 'phi') and ln_type = 'input_layernorm'
),

found as (
    select
        model_a, model_b,
        arg_max(pearson, cosine) as best_pearson,
        arg_max(pearson, abs(pearson)) as farthest_pearson,
        count_if(cosine = highest) as best_layers
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
    select max(abs(found.best_pearson - solar_glm.pearson) / sqrt(2 / (solar_glm.d - 1))) as deviations
    from found
    cross join solar_glm
),

phi_means as (
    select arg_max(mean, abs(mean - 1)) as farthest
    from vector_stats
    where model = 'phi' and ln_type = 'input_layernorm'
)

select
    item,
    if(scope = 'best_layer', 'in the range at the best layer', 'in the range at every layer') as statement,
    if(scope = 'best_layer', best_pearson, farthest_pearson) between low and high as holds,
    if(scope = 'best_layer', best_pearson, farthest_pearson) as observed
from bounds
left join found using (model_a, model_b)
where item like 'sionic.fig4.%'
union all
select
    'sionic.fig4.layer_rule_max_cosine' as item,
    'each pair has one best layer' as statement,
    max(best_layers) = 1 as holds,
    count_if(best_layers = 1) as observed
from found
union all
select item, 'every layer''s mean is near 1.0', farthest between low and high, farthest
from phi_means
join bounds on item = 'sionic.s4.phi_near_1'
union all
select 'sionic.s4.phi_pairs_like_solar_glm', 'differences are within chance', deviations < 1.96, deviations
from differences
order by item
