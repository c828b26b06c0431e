-- id: hyunwoong.mean_abs_diff
-- title: By mean absolute difference Phi is closer to GLM than Solar is.
-- documents: hyunwoong
-- section: 4.2
-- evidence: weights
-- needs: solar, glm, phi
-- version: 2
-- reading: Said in one sentence of the norms at layers 10, 20 and 30, and checked for each of the six. Observed
--   is the difference of Phi and GLM minus that of Solar and GLM: below 0 when it holds. in_general takes the
--   sentence as a summary: Phi is the closer one in more than half of the six; observed is the share.
-- history: v2: returns its reading; the sentence may also be read as a summary of the six
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
),

summary as (
    select avg((excess < 0)::integer) as share
    from differences
),

checks (item, reading, statement, holds, observed) as (
    select
        item, 'plain', format('{} of layer {}: Phi is closer to GLM than Solar is', ln_type, layer),
        excess < 0, excess
    from cases
    left join differences using (ln_type, layer)
    union all
    select item, 'in_general', 'Phi is closer to GLM than Solar is in most of the six', share > 0.5, share
    from cases
    cross join summary
)

select item, reading, statement, holds, observed
from checks
order by item, reading desc
