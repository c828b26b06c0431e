-- id: sionic.summary
-- title: Solar and GLM: cosine 0.99 but Pearson 0.01; GLM and INTELLECT: Pearson 1.0; Phi with others: 0.02.
-- documents: sionic_ko, sionic_en
-- section: Summary, Introduction, 1, 3, 4, Conclusion
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 1
-- reading: Input norm, as in E.2, whose rows these figures sum up; Pearson is the mean over all matched
--   layers (@post: of the post-attention norm). "About" stands before most; half a digit is taken, as the
--   tables print the same figures without it. The cosine of the earlier analysis is the mean over the layers
--   that its critics list (10, 20, 30, 40; @all_layers: over all 47). Section 3 closes with 0.99 as the
--   figure of Figure 1, which is the best layer (@all_layers: the mean). Phi: the mean over Solar–Phi and
--   GLM–Phi; @solar_phi and @glm_phi alone.
with

printed_figures as (
    select distinct item, value, half_digit
    from printed
    where item similar to 'sionic.summary.(prior|pearson).*' or item = 'sionic.s3.solar_glm_cosine_0_99'
),

earlier_layers as (
    select distinct layer_b as layer
    from printed
    where item similar to 'critique.exp1.(solar|glm).l0_l.*'
),

matched as (
    select
        model_a || '_' || model_b as pair, ln_type = 'input_layernorm' as is_input, cosine, pearson,
        layer in (from earlier_layers) as is_earlier
    from matched_layers
    where
        model_a in ('solar', 'glm') and model_b in ('glm', 'intellect', 'phi')
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

means as (
    select
        avg(cosine) filter (pair = 'solar_glm' and is_input and is_earlier) as earlier_cosine,
        avg(cosine) filter (pair = 'solar_glm' and is_input) as mean_cosine,
        max(cosine) filter (pair = 'solar_glm' and is_input) as best_cosine,
        avg(pearson) filter (pair = 'solar_glm' and is_input) as solar_glm,
        avg(pearson) filter (pair = 'solar_glm' and not is_input) as solar_glm_post,
        avg(pearson) filter (pair = 'glm_intellect' and is_input) as glm_intellect,
        avg(pearson) filter (pair = 'glm_intellect' and not is_input) as glm_intellect_post,
        avg(pearson) filter (pair = 'solar_phi' and is_input) as solar_phi,
        avg(pearson) filter (pair = 'solar_phi' and not is_input) as solar_phi_post,
        avg(pearson) filter (pair = 'glm_phi' and is_input) as glm_phi,
        avg(pearson) filter (pair = 'glm_phi' and not is_input) as glm_phi_post
    from matched
),

readings as (
    select
        unnest([
            'sionic.summary.prior_cosine_0_99', 'sionic.summary.prior_cosine_0_99@all_layers',
            'sionic.s3.solar_glm_cosine_0_99', 'sionic.s3.solar_glm_cosine_0_99@all_layers',
            'sionic.summary.pearson.solar_glm', 'sionic.summary.pearson.solar_glm@post',
            'sionic.summary.pearson.glm_intellect', 'sionic.summary.pearson.glm_intellect@post',
            'sionic.summary.pearson.phi', 'sionic.summary.pearson.phi@post',
            'sionic.summary.pearson.phi@solar_phi', 'sionic.summary.pearson.phi@glm_phi'
        ]) as item,
        unnest([
            earlier_cosine, mean_cosine, best_cosine, mean_cosine, solar_glm, solar_glm_post,
            glm_intellect, glm_intellect_post, (solar_phi + glm_phi) / 2, (solar_phi_post + glm_phi_post) / 2,
            solar_phi, glm_phi
        ]) as observed
    from means
)

select
    readings.item,
    printed_figures.value as expected,
    printed_figures.half_digit as tolerance,
    readings.observed
from printed_figures
left join readings on split_part(readings.item, '@', 1) = printed_figures.item
order by readings.item
