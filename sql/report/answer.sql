-- one row: what the first sentences of the report say about Solar and GLM, from the lake at hand and from others
--
-- cosine: mean over shared layers, input norm; likewise offset and pearson; NULL without both models
-- related: mean correlation of GLM and INTELLECT
-- measured_cosine: mean over the layers that the sanity check published from the released weights, input norm;
--   likewise measured_pearson, and measured_offset, which follows from the published means and deviations
-- layer_0: the same cosine at layer 0
-- measurements: published measurements of what a document prints; agree and disagree count them by outcome
-- printed_glm_phi: the cosine of GLM and Phi at layer 10, as the critique prints it
with

matched as (
    from matched_layers
    where
        ln_type = 'input_layernorm'
        and (model_a, model_b) in (('solar', 'glm'), ('glm', 'intellect'))
),

here as (
    select
        avg(cosine) filter (model_a = 'solar') as cosine,
        avg(offset_share) filter (model_a = 'solar') as offset_share,
        avg(pearson) filter (model_a = 'solar') as pearson,
        avg(pearson) filter (model_a = 'glm') as related
    from matched
),

published as (
    select
        layer_a as layer,
        any_value(value) filter (metric = 'cosine') as cosine,
        any_value(value) filter (metric = 'pearson') as pearson,
        any_value(value) filter (metric = 'mean' and model_a = 'solar') as mean_a,
        any_value(value) filter (metric = 'std' and model_a = 'solar') as std_a,
        any_value(value) filter (metric = 'mean' and model_a = 'glm') as mean_b,
        any_value(value) filter (metric = 'std' and model_a = 'glm') as std_b
    from measured
    where source = 'sanity_outputs' and ln_type = 'input_layernorm'
    group by layer_a
),

elsewhere as (
    select
        avg(cosine) as measured_cosine,
        avg(pearson) as measured_pearson,
        avg(mean_a / sqrt(mean_a ** 2 + std_a ** 2) * mean_b / sqrt(mean_b ** 2 + std_b ** 2)) as measured_offset,
        any_value(cosine) filter (layer = 0) as layer_0
    from published
),

compared as (
    select count(*) as measurements, count_if(agrees) as agree, count_if(not agrees) as disagree
    from measured_elsewhere
),

stated as (
    select any_value(value) as printed_glm_phi
    from printed
    where
        document = 'critique_results' and section = 'Experiment 3'
        and (model_a, model_b, layer_a) = ('glm', 'phi', 10)
)

select
    cosine, offset_share as "offset", pearson, related,
    measured_cosine, measured_pearson, measured_offset, layer_0,
    measurements, agree, disagree,
    printed_glm_phi
from here
cross join elsewhere
cross join compared
cross join stated
