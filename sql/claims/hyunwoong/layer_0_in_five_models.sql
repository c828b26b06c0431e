-- id: hyunwoong.layer_0_in_five_models
-- title: An input norm of layer 0 unlike the later ones is common among models, but not universal.
-- documents: hyunwoong
-- section: 1 discussion 1
-- evidence: weights
-- needs: solar, glm, phi, qwen3_4b, qwen3_14b
-- version: 1
-- reading: The five models that the document shows, and layers 15 and 20, with which its examples compare. It
--   calls 0.9 of Qwen3-14B high, so a model is low when its input norm of layer 0 has a cosine below that
--   with layer 15 or 20. "Many but not all": more than half are low, and not all. The closing question of the
--   section says the opposite, that most are high: more than half, and not all. Observed is the number of
--   such models. That layer 0 is special because it gets the embeddings is a conjecture. What can be seen is
--   the contrast that it rests on: in Solar, GLM, Phi and Qwen3-4B the input norm of layer 0 is less like
--   those of layers 15 and 20 than layer 10 is, and less than is the case for the post norm of layer 0.
--   Observed is in how many of the four.
with

high as (
    select max(low) as cosine
    from printed
    where item like 'hyunwoong.s1.qwen3_14b.input.%'
),

cosines as (
    select model, layer_a, layer_b, ln_type, cosine
    from within_model
    where
        model in ('solar', 'glm', 'phi', 'qwen3_4b', 'qwen3_14b')
        and layer_a in (0, 10) and layer_b in (15, 20)
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

side_by_side as (
    select
        model, layer_b,
        max(cosine) filter (layer_a = 0 and ln_type = 'input_layernorm') as layer_0,
        max(cosine) filter (layer_a = 10 and ln_type = 'input_layernorm') as layer_10,
        max(cosine) filter (layer_a = 0 and ln_type = 'post_attention_layernorm') as layer_0_post
    from cosines
    group by model, layer_b
),

by_model as (
    select
        model,
        min(layer_0) as lowest,
        bool_and(layer_0 < layer_10 and layer_0 < layer_0_post) as has_contrast
    from side_by_side
    group by model
),

counts as (
    select
        count(*) as models,
        count_if(lowest < high.cosine) as low,
        count_if(lowest >= high.cosine) as high,
        count_if(has_contrast and model <> 'qwen3_14b') as contrasts
    from by_model
    cross join high
),

checks (item, statement, holds, observed) as (
    select 'layer0_input_special', 'all four models show the contrast', contrasts = 4, contrasts
    from counts
    union all
    select
        'many_models_low_layer0', 'more than half of the five models are low, but not all',
        low > models / 2 and low < models, low
    from counts
    union all
    select
        'most_models_high_layer0', 'more than half of the five models are high, but not all',
        high > models / 2 and high < models, high
    from counts
)

select 'hyunwoong.s1.' || item as item, statement, holds, observed
from checks
order by item
