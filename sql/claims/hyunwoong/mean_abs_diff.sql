-- id: hyunwoong.mean_abs_diff
-- title: By mean absolute difference Phi is closer to GLM than Solar is.
-- documents: hyunwoong
-- section: 4.2
-- evidence: weights
-- needs: solar, glm, phi
-- version: 1
-- reading: Said of the norms without exception, so it is checked for each norm at layers 10, 20 and 30.
--   Observed is the difference of Phi and GLM minus that of Solar and GLM: below 0 when it holds.
with

cases as (
    select
        format('hyunwoong.s4_2.mad_phi_glm_lt_solar_glm.{}.layer{}', part, layer) as item,
        ln_type,
        layer
    from (values ('input', 'input_layernorm'), ('post', 'post_attention_layernorm')) as norms (part, ln_type)
    cross join (values (10), (20), (30)) as layers (layer)
),

differences as (
    select
        ln_type, layer,
        max(mean_abs_diff) filter (model_a = 'phi') - max(mean_abs_diff) filter (model_a = 'solar') as excess
    from matched_layers
    where
        model_a in ('solar', 'phi') and model_b = 'glm' and layer in (10, 20, 30)
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
    group by ln_type, layer
)

select
    cases.item,
    format('{} of layer {}: Phi is closer to GLM than Solar is', ln_type, layer) as statement,
    differences.excess < 0 as holds,
    differences.excess as observed
from cases
left join differences using (ln_type, layer)
order by ln_type, layer
