-- id: sionic.mean_direction
-- title: The common offset outweighs the pattern: in each norm vector, and in the dot product of two models.
-- documents: sionic_ko, sionic_en
-- section: Summary, 1, A.4
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 2
-- history: v2: asks for the tendency that the text speaks of, no longer also for every vector
-- reading: Input and post-attention norms of the four models. A vector's offset exceeds its pattern when its
--   part along (1, …, 1) is longer than the rest. The mean direction dominates a dot product when the product
--   of the two offsets is more than half of it; compared are matched layers of Solar, GLM, INTELLECT and Phi
--   but for GLM with INTELLECT, whose weights have one origin. The text speaks of what tends to be so: nine in
--   ten must show it. Observed is the share that does.
with

offset_parts as (
    select offset_part ** 2 > pattern_part ** 2 as outweighs
    from vector_stats
    where
        model in ('solar', 'glm', 'intellect', 'phi')
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

dot_products as (
    select offset_share > cosine / 2 as outweighs
    from matched_layers
    where
        model_a in ('solar', 'glm', 'intellect') and model_b in ('glm', 'intellect', 'phi')
        and not (model_a = 'glm' and model_b = 'intellect')
        and not (model_a = 'intellect' and model_b = 'glm')
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

shares as (
    select
        'sionic.a4.offset_exceeds_pattern' as item,
        'vectors whose offset is longer than their pattern' as what,
        avg(outweighs::integer) as share
    from offset_parts
    union all
    select
        'sionic.summary.mean_direction_dominates' as item,
        'dot products of two models of which the means make more than half' as what,
        avg(outweighs::integer) as share
    from dot_products
)

select
    item,
    'plain' as reading,
    'at least nine in ten: ' || what as statement,
    share >= 0.9 as holds,
    share as observed
from shares
order by item
