-- id: sionic.scale_norms
-- title: Norm vectors are 1 to 140 long; Solar's layer 0 is 2.80 and 10.17, and its late layers reach about 70.
-- documents: sionic_ko, sionic_en
-- section: Scale
-- evidence: weights
-- needs: solar, glm, phi
-- version: 2
-- reading: The three models of the paragraph are not named: taken are Solar, GLM and Phi, those of the
--   document that were trained apart. Input and post-attention norms of all layers, GLM's MTP layer included.
--   Round figures may be rounded or cut off: 1 within a whole digit (but not below a half), 140 within ten, as
--   the Korean text writes 140대 in the same paragraph. "Around" precedes 2.80 and 10.17, which allows a
--   whole digit, and before 70, which allows 5; late layers are the last third of Solar's 48 (32 to 47).
-- history: v2: round figures may be cut off, about so much is a whole digit; one choice of three models, not two
--   that exclude each other
with

printed_figures as (
    select distinct item, value, half_digit
    from printed
    where
        metric = 'l2_norm'
        and item similar to 'sionic.scale.(norm_m.*|solar.L00.*|solar.post_norm_late)'
),

lengths as (
    select model, layer, ln_type, l2_norm
    from vector_stats
    where
        model in ('solar', 'glm', 'phi')
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

found as (
    select
        unnest([
            'sionic.scale.norm_min_1', 'sionic.scale.norm_max_140', 'sionic.scale.solar.L00.input_norm',
            'sionic.scale.solar.L00.post_norm', 'sionic.scale.solar.post_norm_late'
        ]) as item,
        unnest([
            min(l2_norm), max(l2_norm),
            max(l2_norm) filter (model = 'solar' and layer = 0 and ln_type = 'input_layernorm'),
            max(l2_norm) filter (model = 'solar' and layer = 0 and ln_type = 'post_attention_layernorm'),
            max(l2_norm) filter (model = 'solar' and layer >= 32 and ln_type = 'post_attention_layernorm')
        ]) as observed,
        unnest([null, 10, null, null, 5]) as wider
    from lengths
)

select
    printed_figures.item,
    'plain' as reading,
    printed_figures.value as expected,
    coalesce(
        found.wider,
        if(
            found.observed > printed_figures.value, 2 * printed_figures.half_digit,
            least(2 * printed_figures.half_digit, printed_figures.value / 2)
        )
    ) as tolerance,
    found.observed
from printed_figures
left join found using (item)
order by printed_figures.item
