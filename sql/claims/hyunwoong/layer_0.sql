-- id: hyunwoong.layer_0
-- title: Layer 0 stands apart in its input norm but not in its post-attention norm.
-- documents: hyunwoong
-- section: 1 discussion 1, 5
-- evidence: weights
-- needs: solar, glm, phi
-- version: 2
-- reading: Cosine of layer 0 with layers 10, 20 and 30. Input norm, "very low": the document gives no figure
--   for the three, but shows Qwen3-4B, at about 0.8, as a case of the same; all three cosines are below that.
--   Observed is the highest. Post norm: the lowest of the three rounds to the printed bound or above; the
--   document read its figures off a terminal.
-- history: v2: very low is held against the document's own 0.8, not our 0.5; bounds may be rounded
with

bounds as (
    select item, model_a as model, max(low) as low, max(half_digit) filter (low is not null) as half_digit
    from printed
    where item like 'hyunwoong.s1.post_layer0_ge_0_92.%'
    group by item, model_a
),

called_low as (
    select min(value) as cosine
    from printed
    where item like 'hyunwoong.s1.qwen3_4b.input.l0_%'
),

extremes as (
    select
        model,
        max(cosine) filter (ln_type = 'input_layernorm') as highest_input,
        min(cosine) filter (ln_type = 'post_attention_layernorm') as lowest_post
    from within_model
    where
        model in ('solar', 'glm', 'phi') and ln_type in ('input_layernorm', 'post_attention_layernorm')
        and layer_a = 0 and layer_b in (10, 20, 30)
    group by model
),

checks (item, statement, holds, observed) as (
    select
        'hyunwoong.s1.layer0_input_low.' || model,
        'input norm: with layers 10, 20 and 30 layer 0 is below what the document gives for Qwen3-4B',
        highest_input < called_low.cosine,
        highest_input
    from bounds
    left join extremes using (model)
    cross join called_low
    union all
    select
        item,
        'post-attention norm: layer 0 reaches the printed cosine with layers 10, 20 and 30, rounded',
        lowest_post >= low - half_digit,
        lowest_post
    from bounds
    left join extremes using (model)
)

select item, 'plain' as reading, statement, holds, observed
from checks
order by item
