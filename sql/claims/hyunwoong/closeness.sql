-- id: hyunwoong.closeness
-- title: Tails and relative distances do not make Solar consistently closer to GLM than to Phi.
-- documents: hyunwoong
-- section: 4.4, 5
-- evidence: weights
-- needs: solar, glm, phi
-- version: 2
-- reading: Both norms at layers 10, 20 and 30. Consistent would be that by p99_abs_diff, or by rel_l2 with Solar
--   as base, Solar is closer to GLM than to Phi in all six cases; observed is the larger of the two shares.
--   with_projections adds k_proj and v_proj, which the document's figures show too, where they were ingested.
--   The order of rel_l2 in the post norm of layer 20: Solar-GLM above Phi-GLM above Solar-Phi. The base is Solar
--   where it takes part, and GLM for Phi-GLM, as its printed figure must have been computed; phi_base takes the
--   model named first. Observed is the smaller of the two steps.
-- history: v2: returns its readings; no consistent pattern means not in all cases, no longer at most in half
with

distances as (
    select model_a, model_b, ln_type, layer, p99_abs_diff, rel_l2
    from matched_layers
    where
        model_a in ('solar', 'glm', 'phi') and model_b in ('glm', 'phi') and layer in (10, 20, 30)
        and ln_type in ('input_layernorm', 'post_attention_layernorm', 'k_proj', 'v_proj')
),

cases as (
    select
        ln_type, layer,
        ln_type in ('k_proj', 'v_proj') as is_projection,
        max(p99_abs_diff) filter (model_a = 'solar' and model_b = 'glm') as solar_glm_p99,
        max(p99_abs_diff) filter (model_a = 'solar' and model_b = 'phi') as solar_phi_p99,
        max(rel_l2) filter (model_a = 'solar' and model_b = 'glm') as solar_glm,
        max(rel_l2) filter (model_a = 'solar' and model_b = 'phi') as solar_phi,
        max(rel_l2) filter (model_a = 'phi' and model_b = 'glm') as phi_glm,
        max(rel_l2) filter (model_a = 'glm' and model_b = 'phi') as glm_phi
    from distances
    group by ln_type, layer
),

shares as (
    select
        reading,
        greatest(
            avg((solar_glm_p99 < solar_phi_p99)::integer), avg((solar_glm < solar_phi)::integer)
        ) as share
    from (values ('plain', false), ('with_projections', true)) as readings (reading, takes_projections)
    left join cases on takes_projections or not is_projection
    group by reading
    having reading = 'plain' or bool_or(is_projection)
),

example as (
    select
        max(solar_glm) as solar_glm, max(phi_glm) as phi_glm,
        max(glm_phi) as glm_phi, max(solar_phi) as solar_phi
    from cases
    where ln_type = 'post_attention_layernorm' and layer = 20
),

steps as (
    select reading, solar_glm - middle as first_step, middle - solar_phi as second_step
    from example
    cross join lateral (values ('plain', glm_phi), ('phi_base', phi_glm)) as readings (reading, middle)
),

checks (item, reading, statement, holds, observed) as (
    select
        'no_consistent_closeness', reading,
        'by neither metric is Solar closer to GLM than to Phi in all cases',
        share < 1, share
    from shares
    union all
    select
        'rel_l2_order', reading,
        'Solar-GLM is furthest, then Phi-GLM, and Solar-Phi closest',
        first_step > 0 and second_step > 0, least(first_step, second_step)
    from steps
)

select 'hyunwoong.s4_4.' || item as item, reading, statement, holds, observed
from checks
order by item, reading
