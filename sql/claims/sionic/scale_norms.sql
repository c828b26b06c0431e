-- id: sionic.scale_norms
-- title: Norm vectors are 1 to 140 long; Solar's layer 0 is 2.80 and 10.17, and its late layers reach about 70.
-- documents: sionic_ko, sionic_en
-- section: Scale
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 1
-- reading: The three models of the paragraph are not named: taken are Solar, GLM and Phi, those of the
--   document that were trained apart; @glm_family takes Solar, GLM and INTELLECT, the ones the paragraph
--   mentions. Input and post-attention norms of all layers, GLM's MTP layer included. 140 is printed flat,
--   but may be rounded to tens: @tens allows 5. "Around 70" also allows 5; late layers are the last third of
--   Solar's 48 (32 to 47). "Around" stands before 2.80 and 10.17 too, which are printed to the hundredth:
--   half a digit.
with

printed_figures as (
    select distinct item, value, half_digit
    from printed
    where
        metric = 'l2_norm'
        and item similar to 'sionic.scale.(norm_m.*|solar.L00.*|solar.post_norm_late)'
),

lengths as (
    select
        model, layer, ln_type, l2_norm,
        model in ('solar', 'glm', 'phi') as is_apart,
        model in ('solar', 'glm', 'intellect') as is_family
    from vector_stats
    where
        model in ('solar', 'glm', 'intellect', 'phi')
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

readings as (
    select
        unnest([
            'norm_min_1', 'norm_min_1@glm_family',
            'norm_max_140', 'norm_max_140@glm_family', 'norm_max_140@tens',
            'solar.L00.input_norm', 'solar.L00.post_norm', 'solar.post_norm_late'
        ]) as name,
        unnest([
            min(l2_norm) filter (is_apart), min(l2_norm) filter (is_family),
            max(l2_norm) filter (is_apart), max(l2_norm) filter (is_family), max(l2_norm) filter (is_apart),
            max(l2_norm) filter (model = 'solar' and layer = 0 and ln_type = 'input_layernorm'),
            max(l2_norm) filter (model = 'solar' and layer = 0 and ln_type = 'post_attention_layernorm'),
            max(l2_norm) filter (model = 'solar' and layer >= 32 and ln_type = 'post_attention_layernorm')
        ]) as observed,
        unnest([null, null, null, null, 5, null, null, 5]) as wider
    from lengths
)

select
    'sionic.scale.' || readings.name as item,
    printed_figures.value as expected,
    coalesce(readings.wider, printed_figures.half_digit) as tolerance,
    readings.observed
from printed_figures
left join readings on 'sionic.scale.' || split_part(readings.name, '@', 1) = printed_figures.item
order by item
