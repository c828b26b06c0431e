-- id: hyunwoong.layer_0
-- title: Layer 0 stands apart in its input norm but not in its post-attention norm.
-- documents: hyunwoong
-- section: 1 discussion 1, 5
-- evidence: weights
-- needs: solar, glm, phi
-- version: 1
-- reading: Cosine of layer 0 with layers 10, 20 and 30. Input norm, "very low": all three below 0.5, half of
--   what equal directions give; the document prints no figure of its own. @below_other_layers is a weaker
--   reading: all three below the lowest cosine among layers 10, 20 and 30. Observed is the highest of the
--   three. Post norm: the lowest of the three is at least the printed bound, not rounded.
with

bounds as (
    select item, model_a as model, max(low) as low
    from printed
    where item like 'hyunwoong.s1.post_layer0_ge_0_92.%'
    group by item, model_a
),

cosines as (
    select model, ln_type, layer_a, cosine
    from within_model
    where
        model in ('solar', 'glm', 'phi') and ln_type in ('input_layernorm', 'post_attention_layernorm')
        and layer_a in (0, 10, 20) and layer_b in (10, 20, 30) and layer_a < layer_b
),

extremes as (
    select
        model,
        max(cosine) filter (layer_a = 0 and ln_type = 'input_layernorm') as highest_input,
        min(cosine) filter (layer_a > 0 and ln_type = 'input_layernorm') as lowest_other_input,
        min(cosine) filter (layer_a = 0 and ln_type = 'post_attention_layernorm') as lowest_post
    from cosines
    group by model
),

checks as (
    select
        'hyunwoong.s1.layer0_input_low.' || model as item,
        'input norm: layer 0 has a cosine below 0.5 with layers 10, 20 and 30' as statement,
        highest_input < 0.5 as holds,
        highest_input as observed
    from bounds left join extremes using (model)
    union all
    select
        'hyunwoong.s1.layer0_input_low.' || model || '@below_other_layers' as item,
        'input norm: layer 0 is less like layers 10, 20 and 30 than these are like each other' as statement,
        highest_input < lowest_other_input as holds,
        highest_input as observed
    from bounds left join extremes using (model)
    union all
    select
        item,
        'post-attention norm: layer 0 has at least the printed cosine with layers 10, 20 and 30' as statement,
        lowest_post >= low as holds,
        lowest_post as observed
    from bounds left join extremes using (model)
)

select item, statement, holds, observed
from checks
order by item
