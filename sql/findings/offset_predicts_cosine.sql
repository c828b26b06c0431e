-- id: findings.offset_predicts_cosine
-- title: The means alone predict the cosine of every matched layer of two models not known to be related.
-- documents:
-- section: all comparisons of layers
-- evidence: weights
-- needs: solar, glm, intellect, phi, mixtral, mistral_7b, yi_6b, yi_9b, internlm2_7b, qwen15_7b
-- version: 3
-- reading: cos = offset share + pattern share, and the offset share needs no comparison of the two vectors, only
--   the mean and length of each. For models without relation the pattern share should be what chance leaves. Over all
--   matched layers and both norms of these models, without the three pairs of known descent: the cosine
--   differs from the offset share by exactly Pearson's r times both pattern parts (to the rounding of sums,
--   1e-9); by less than 0.05 everywhere; and offset share and cosine correlate above 0.99, so that a ranking
--   of pairs by cosine is one by their means. Where two models are related, as GLM and INTELLECT, the pattern
--   share must not be small: their largest is above 0.5, at a layer whose offset does not fill the vector.
-- history: v2: a finding of ours, no longer a claim; checks have short names
-- history: v3: of the models it names, whatever else is in the lake
with

compared as (
    select model_a, model_b, layer, ln_type, cosine, pearson, offset_share, pattern_share
    from matched_layers
    where
        model_a < model_b and ln_type in ('input_layernorm', 'post_attention_layernorm')
        and model_a in (
            'solar', 'glm', 'intellect', 'phi', 'mixtral', 'mistral_7b', 'yi_6b', 'yi_9b', 'internlm2_7b', 'qwen15_7b'
        )
        and model_b in (
            'solar', 'glm', 'intellect', 'phi', 'mixtral', 'mistral_7b', 'yi_6b', 'yi_9b', 'internlm2_7b', 'qwen15_7b'
        )
),

known (model_a, model_b) as (
    values ('glm', 'intellect'), ('mistral_7b', 'mixtral'), ('yi_6b', 'yi_9b')
),

parts as (
    select model, layer, ln_type, pattern_part from vector_stats
),

remainders as (
    select
        compared.*,
        abs(cosine - offset_share) as remainder,
        abs(cosine - offset_share - pearson * a.pattern_part * b.pattern_part) as unexplained
    from compared
    join parts as a on a.model = model_a and a.layer = compared.layer and a.ln_type = compared.ln_type
    join parts as b on b.model = model_b and b.layer = compared.layer and b.ln_type = compared.ln_type
),

unrelated as (
    select max(unexplained) as unexplained, max(remainder) as remainder, corr(cosine, offset_share) as agreement
    from remainders
    anti join known using (model_a, model_b)
),

derived as (
    select max(pattern_share) as pattern_share
    from remainders
    where model_a = 'glm' and model_b = 'intellect'
)

select
    unnest(['identity', 'unrelated', 'ranking', 'derived']) as item,
    'plain' as reading,
    unnest([
        'what the offset share leaves is Pearson times both pattern parts',
        'the offset share is within 0.05 of the cosine of two models without known relation',
        'offset share and cosine of such models correlate above 0.99',
        'GLM and INTELLECT have a layer with a pattern share above 0.5'
    ]) as statement,
    unnest([unexplained < 1e-9, remainder < 0.05, agreement > 0.99, pattern_share > 0.5]) as holds,
    unnest([unexplained, remainder, agreement, pattern_share]) as observed
from unrelated
cross join derived
