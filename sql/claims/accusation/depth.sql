-- id: accusation.depth
-- title: The cosine of Solar and GLM is low in the first layers, above 0.95 from layer 5 on and above 0.99 from 40
--   on.
-- documents: accusation, accusation_report
-- section: lines 94-96; report lines 65, 76-78, 141
-- evidence: weights
-- needs: solar, glm
-- version: 1
-- reading: From a layer on: plain, both norms together, the mean of each layer; each_norm asks it of both norms of
--   every layer. Observed is the lowest. Low after the embedding, very high in deep layers: the input norm of
--   layer 0 is below 0.5, that of every layer from 40 on above 0.95. The embedding acts on layer 0, and its
--   influence fades: causes do not show in weights; what can be seen is the order that follows, as for the same
--   sentence of the critique (critique.layer_0_influence): layer 0 is the least alike; layer 1 is more alike, and
--   each layer from 5 on more than that. Observed is the smaller step. Three values, "0.12 to 0.83 to 0.99": each
--   rounded or cut to two digits; observed is the one furthest off, as a difference.
with

cosines as (
    select layer, ln_type, cosine
    from matched_layers
    where
        model_a = 'solar' and model_b = 'glm' and layer <= 45
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

layers as (
    select layer, avg(cosine) as cosine, min(cosine) as lowest
    from cosines
    group by layer
),

bounds as (
    select item, max(low) as low, case when item like '%from_5%' then 5 else 40 end as layer
    from printed
    where regexp_matches(item, '^accusation\.readme\.layers\.from_(5|40)_0')
    group by item
),

from_a_layer as (
    select item, low, min(cosine) as mean_of_both, min(lowest) as each_norm
    from bounds
    left join layers on layers.layer >= bounds.layer
    group by item, low
),

input as (
    select
        max(cosine) filter (layer = 0) as at_0,
        max(cosine) filter (layer = 1) as at_1,
        min(cosine) filter (layer > 0) as lowest_after_0,
        min(cosine) filter (layer >= 5) as lowest_from_5,
        min(cosine) filter (layer >= 40) as lowest_from_40
    from cosines
    where ln_type = 'input_layernorm'
),

rise as (
    select
        bool_and(cosine >= value - half_digit and cosine < value + 2 * half_digit) as holds,
        arg_max(cosine - value, abs(cosine - value)) as furthest
    from printed
    left join cosines on cosines.layer = layer_a and cosines.ln_type = printed.ln_type
    where item = 'accusation.report.fits.gradient_values'
),

checks (item, reading, statement, holds, observed) as (
    select
        item, unnest(['plain', 'each_norm']), unnest(['both norms of a layer, on average', 'each norm of a layer']),
        unnest([mean_of_both >= low, each_norm >= low]), unnest([mean_of_both, each_norm])
    from from_a_layer
    union all
    select
        'accusation.report.layers.low_after_embedding', 'plain', 'layer 0 is below 0.5, each from 40 on above 0.95',
        at_0 < 0.5 and lowest_from_40 > 0.95, at_0
    from input
    union all
    select
        'accusation.report.gradient.embedding_hits_layer0', 'plain', 'layer 0 is less alike than any other',
        at_0 < lowest_after_0, lowest_after_0 - at_0
    from input
    union all
    select
        'accusation.report.gradient.influence_fades', 'plain',
        'the cosine rises from layer 0 to layer 1, and from there to every layer from 5 on',
        at_0 < at_1 and at_1 < lowest_from_5, least(at_1 - at_0, lowest_from_5 - at_1)
    from input
    union all
    select
        'accusation.report.fits.gradient_values', 'plain', 'each is the printed value, rounded or cut', holds, furthest
    from rise
)

select item, reading, statement, holds, observed
from checks
order by item, reading desc
