-- one row: what the first sentences of the report say about Solar and GLM, from the lake at hand and from others
--
-- cosine: mean over shared layers, input norm; likewise offset_share and pearson; NULL without both models
-- related: mean correlation of GLM and INTELLECT
-- measured_cosine: what others published from the released weights; likewise measured_pearson
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

elsewhere as (
    select
        avg(value) filter (metric = 'cosine') as measured_cosine,
        avg(value) filter (metric = 'pearson') as measured_pearson
    from measured
    where source = 'sanity_outputs' and ln_type = 'input_layernorm'
),

stated as (
    select any_value(value) as printed_glm_phi
    from printed
    where
        document = 'critique_results' and section = 'Experiment 3'
        and (model_a, model_b, layer_a) = ('glm', 'phi', 10)
)

select
    cosine, offset_share as "offset", pearson, related, measured_cosine, measured_pearson, printed_glm_phi
from here
cross join elsewhere
cross join stated
