-- id: accusation.baseline
-- title: Models of merely similar structure should have a cosine of 0.38, as layer 0 has with deeper layers of its
--   model.
-- documents: accusation
-- section: lines 11, 13-18, 24-25, 233
-- evidence: weights
-- needs: solar, glm, phi
-- version: 1
-- reading: The table names its layers, and calls its rows "same model, other layers". As a baseline for those: the
--   mean cosine of other layers of one model, both models together, is within 0.05 of it; plain, layers 10, 20, 30
--   and 40 with each other, layer 0 left out; with_layer_0, the pairs that the page lists. Models of similar
--   structure: Phi, of the same width and kind, which nobody calls related to either; if structure were all, its
--   cosine with Solar and with GLM at layer 10 would be 0.38. Read widely: below 0.5. Observed is the lower of the
--   two. That a similar architecture is rejected by the baseline needs the same. Input norms throughout.
with

within as (
    select
        avg(cosine) filter (layer_a in (10, 20, 30, 40)) as without_layer_0,
        avg(cosine) filter (layer_a = 0) as with_layer_0
    from within_model
    where
        model in ('solar', 'glm') and ln_type = 'input_layernorm' and layer_a < layer_b
        and layer_a in (0, 10, 20, 30, 40) and layer_b in (10, 20, 30, 40)
),

baseline as (
    select avg(value) as cosine
    from printed
    where item in ('accusation.readme.within.glm_mean', 'accusation.readme.within.solar_mean')
),

unrelated as (
    select min(cosine) as lowest
    from matched_layers
    where
        model_a in ('solar', 'glm') and model_b = 'phi' and ln_type = 'input_layernorm' and layer = 10
),

checks (item, reading, statement, holds, observed) as (
    select
        'within.layer0_stands_for_all', unnest(['plain', 'with_layer_0']),
        unnest(['layers 10 to 40 have about that cosine with each other', 'layer 0 has about that cosine with them']),
        unnest([abs(without_layer_0 - cosine) <= 0.05, abs(with_layer_0 - cosine) <= 0.05]),
        unnest([without_layer_0, with_layer_0])
    from within, baseline
    union all
    select
        unnest(['null.similar_structure_0_38', 'figure.all_bars_0_38', 'hyp.similar_architecture_rejected']), 'plain',
        'Phi has a cosine below 0.5 with one of them', lowest < 0.5, lowest
    from unrelated
)

select 'accusation.readme.' || item as item, reading, statement, holds, observed
from checks
order by item, reading
