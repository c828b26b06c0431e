-- id: hyunwoong.pearson
-- title: Pearson correlation tells the same as centered cosine.
-- documents: hyunwoong
-- section: 4.1
-- evidence: weights
-- needs: solar, glm, phi
-- version: 2
-- reading: The two are one quantity by definition, so this is a check of arithmetic and no evidence: DuckDB's
--   corr over the raw weights against the inner product of the centered lists, for all eighteen cross-model and
--   eighteen within-model pairs of vectors at layers 10, 20 and 30. "Very similar": no pair differs by more than
--   1e-6, what single precision may leave; of no pairs at all that is true. Observed is the largest difference.
-- history: v2: returns its reading; holds of whatever pairs there are, as a definition does
with

weights as (
    select model, layer, ln_type, dim, value::double as value
    from norms
    where
        model in ('solar', 'glm', 'phi') and layer in (10, 20, 30)
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

centered as (
    select model_a, layer as layer_a, model_b, layer as layer_b, ln_type, pearson as centered_cosine
    from matched_layers
    where
        model_a in ('solar', 'glm') and model_b in ('glm', 'phi') and layer in (10, 20, 30)
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
    union all
    select model as model_a, layer_a, model as model_b, layer_b, ln_type, pearson as centered_cosine
    from within_model
    where
        model in ('solar', 'glm', 'phi') and ln_type in ('input_layernorm', 'post_attention_layernorm')
        and layer_a in (10, 20) and layer_b in (20, 30) and layer_a < layer_b
),

correlated as (
    select
        any_value(centered.centered_cosine) as centered_cosine,
        corr(a.value, b.value) as pearson
    from centered
    join weights as a on a.model = model_a and a.layer = layer_a and a.ln_type = centered.ln_type
    join weights as b
        on b.model = model_b and b.layer = layer_b and b.ln_type = centered.ln_type and b.dim = a.dim
    group by model_a, layer_a, model_b, layer_b, centered.ln_type
)

select
    'hyunwoong.s4_1.pearson_like_centered' as item,
    'plain' as reading,
    'no Pearson differs from the centered cosine by more than 1e-6' as statement,
    count_if(abs(pearson - centered_cosine) > 1e-6) = 0 as holds,
    max(abs(pearson - centered_cosine)) as observed
from correlated
