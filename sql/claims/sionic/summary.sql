-- id: sionic.summary
-- title: Solar and GLM: cosine 0.99 but Pearson 0.01; GLM and INTELLECT: Pearson 1.0; Phi with others: 0.02.
-- documents: sionic_ko, sionic_en
-- section: Summary, Introduction, 1, 3, 4, Conclusion
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 3
-- history: v2: one reading per figure, each over the layers that its sentence points to; "about" a whole digit
-- history: v3: about 1.0 is allowed half a digit, as in figure 3, since no correlation is above 1
-- reading: Input norm, as in E.2, whose rows these figures sum up. Pearson is the mean over all matched
--   layers, for Phi the mean over its pairs with Solar and with GLM; "about" allows a whole digit, of GLM and
--   INTELLECT half of one, since no correlation is above 1. The cosine of 0.99 that is quoted from the earlier
--   analysis is the mean over the layers that its critics list (10, 20, 30, 40). Section 3 closes with 0.99 as
--   the figure of Figure 1, which is the best layer; the mean over layers is the 0.95 of other items. A figure
--   without "about" may be rounded or cut off: above the printed one a whole digit is allowed.
with

printed_figures as (
    select item, value, max(half_digit) as half_digit, bool_or(relation = '≈') as is_about
    from printed
    where item similar to 'sionic.summary.(prior|pearson).*' or item = 'sionic.s3.solar_glm_cosine_0_99'
    group by item, value
),

earlier_layers as (
    select distinct layer_b as layer
    from printed
    where item similar to 'critique.exp1.(solar|glm).l0_l.*'
),

matched as (
    select
        model_a || '_' || model_b as pair, cosine, pearson,
        layer in (from earlier_layers) as is_earlier
    from matched_layers
    where
        model_a in ('solar', 'glm') and model_b in ('glm', 'intellect', 'phi')
        and ln_type = 'input_layernorm'
),

means as (
    select
        avg(cosine) filter (pair = 'solar_glm' and is_earlier) as earlier_cosine,
        max(cosine) filter (pair = 'solar_glm') as best_cosine,
        avg(pearson) filter (pair = 'solar_glm') as solar_glm,
        avg(pearson) filter (pair = 'glm_intellect') as glm_intellect,
        avg(pearson) filter (pair = 'solar_phi') as solar_phi,
        avg(pearson) filter (pair = 'glm_phi') as glm_phi
    from matched
),

found as (
    select
        printed_figures.*,
        case printed_figures.item
            when 'sionic.summary.prior_cosine_0_99' then means.earlier_cosine
            when 'sionic.s3.solar_glm_cosine_0_99' then means.best_cosine
            when 'sionic.summary.pearson.solar_glm' then means.solar_glm
            when 'sionic.summary.pearson.glm_intellect' then means.glm_intellect
            when 'sionic.summary.pearson.phi' then (means.solar_phi + means.glm_phi) / 2
        end as observed
    from printed_figures
    cross join means
)

select
    item,
    'plain' as reading,
    value as expected,
    half_digit * if((is_about or observed > value) and value < 1, 2, 1) as tolerance,
    observed
from found
order by item
