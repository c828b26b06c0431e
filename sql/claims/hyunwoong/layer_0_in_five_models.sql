-- id: hyunwoong.layer_0_in_five_models
-- title: An input norm of layer 0 unlike the later ones is common among models, but not universal.
-- documents: hyunwoong
-- section: 1 discussion 1
-- evidence: weights
-- needs: solar, glm, phi, qwen3_4b, qwen3_14b
-- version: 2
-- reading: The five models that the document shows, and layers 15 and 20, with which its examples compare. It
--   calls 0.9 of Qwen3-14B high, so a model is low when its input norm of layer 0 has a cosine below that
--   with layer 15 or 20. "Many but not all": more than half are low, and not all; observed is how many. The
--   closing question asks why most are high and some are not, after the section has shown the reverse. Plain
--   takes it as a slip for what the section shows; as_written takes its words: more than half are high, and
--   not all. Low cosines come from layer 0: in Solar, GLM, Phi and Qwen3-4B the input norm of layer 0 is less
--   like those of layers 15 and 20 than layer 10 is; observed is in how many of the four. Why layer 0 is
--   unlike the others is a conjecture about a cause, which weights cannot decide: undefined.
-- history: v2: the closing question is read both ways; the conjectured cause is undefined, and the contrast
--   between layers, which weights do show, is an item of its own
with

high as (
    select max(low) as cosine
    from printed
    where item like 'hyunwoong.s1.qwen3_14b.input.%'
),

side_by_side as (
    select
        model, layer_b,
        max(cosine) filter (layer_a = 0) as layer_0,
        max(cosine) filter (layer_a = 10) as layer_10
    from within_model
    where
        model in ('solar', 'glm', 'phi', 'qwen3_4b', 'qwen3_14b') and ln_type = 'input_layernorm'
        and layer_a in (0, 10) and layer_b in (15, 20)
    group by model, layer_b
),

by_model as (
    select model, min(layer_0) as lowest, bool_and(layer_0 < layer_10) as has_contrast
    from side_by_side
    group by model
),

counts as (
    select
        count(*) as models,
        count_if(lowest < high.cosine) as low,
        count_if(lowest >= high.cosine) as high,
        low > models / 2 and low < models as low_in_many,
        count_if(has_contrast and model <> 'qwen3_14b') as contrasts
    from by_model
    cross join high
),

checks (item, reading, statement, holds, observed) as (
    select
        'layer0_input_special', 'plain', 'weights do not tell why layer 0 is unlike the others',
        null::boolean, null::double
    union all
    select
        'low_because_of_layer_0', 'plain', 'in all four models layer 0 is less like later layers than layer 10',
        contrasts = 4, contrasts
    from counts
    union all
    select
        'many_models_low_layer0', 'plain', 'more than half of the five models are low, but not all',
        low_in_many, low
    from counts
    union all
    select
        'most_models_high_layer0', 'plain', 'high is a slip for low: more than half of the five, but not all',
        low_in_many, low
    from counts
    union all
    select
        'most_models_high_layer0', 'as_written', 'more than half of the five models are high, but not all',
        high > models / 2 and high < models, high
    from counts
)

select 'hyunwoong.s1.' || item as item, reading, statement, holds, observed
from checks
order by item, reading desc
