-- id: hyunwoong.tails
-- title: By the size of their tails Phi is often closer to GLM than Solar, and Solar sometimes close to Phi.
-- documents: hyunwoong
-- section: 4.3
-- evidence: weights
-- needs: solar, glm, phi
-- version: 2
-- reading: Both norms at layers 10, 20 and 30. "Many cases": Phi and GLM have a smaller p99_abs_diff than
--   Solar and GLM in more than half of the six; observed is the share. Similar tails "for some": at least
--   once Solar and Phi differ by less than a twentieth of Solar's own 99 % quantile; observed is the smallest
--   such ratio. The document's figures show k_proj and v_proj too: with_projections takes them in where they
--   were ingested.
-- history: v2: returns its readings
with

tails as (
    select model_a, model_b, ln_type, layer, p99_abs_diff
    from matched_layers
    where
        model_a in ('solar', 'phi') and model_b in ('glm', 'phi') and layer in (10, 20, 30)
        and ln_type in ('input_layernorm', 'post_attention_layernorm', 'k_proj', 'v_proj')
),

solar_tails as (
    select ln_type, layer, abs_q99
    from vector_stats
    where model = 'solar' and layer in (10, 20, 30)
),

cases as (
    select
        ln_type, layer,
        ln_type in ('k_proj', 'v_proj') as is_projection,
        max(p99_abs_diff) filter (model_a = 'solar' and model_b = 'glm') as solar_glm,
        max(p99_abs_diff) filter (model_a = 'solar' and model_b = 'phi') as solar_phi,
        max(p99_abs_diff) filter (model_a = 'phi' and model_b = 'glm') as phi_glm
    from tails
    group by ln_type, layer
),

summed_up as (
    select
        reading,
        avg((phi_glm < solar_glm)::integer) as share,
        min(solar_phi / abs_q99) as ratio
    from (values ('plain', false), ('with_projections', true)) as readings (reading, takes_projections)
    left join cases on takes_projections or not is_projection
    left join solar_tails using (ln_type, layer)
    group by reading
    having reading = 'plain' or bool_or(is_projection)
),

checks (item, reading, statement, holds, observed) as (
    select
        'p99_phi_glm_lt_solar_glm_often',
        reading,
        'Phi has the tail nearer to GLM''s in more than half of the cases',
        share > 0.5,
        share
    from summed_up
    union all
    select
        'p99_solar_close_to_phi',
        reading,
        'at least once, Solar''s and Phi''s tails differ by less than a twentieth',
        ratio < 0.05,
        ratio
    from summed_up
)

select 'hyunwoong.s4_3.' || item as item, reading, statement, holds, observed
from checks
order by item, reading
