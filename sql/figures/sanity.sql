-- one row per layer that two models share, input norm
-- how much of the cosine would any order of the dimensions give; no shuffling, the mean and spread are exact
--
-- offset_share: mean of the cosine over all permutations of the dimensions
-- band_low: that mean minus two standard deviations of the cosine over permutations; likewise band_high
-- pearson_band: two standard deviations of Pearson over permutations
with

matched as (
    select model_a, model_b, layer, d, cosine, offset_share, pearson
    from matched_layers
    where
        model_a = coalesce(getvariable('model_a'), 'solar')
        and model_b = coalesce(getvariable('model_b'), 'glm')
        and ln_type = 'input_layernorm'
),

parts as (
    select model, layer, pattern_part
    from vector_stats
    where ln_type = 'input_layernorm'
),

spread as (
    select matched.*, a.pattern_part * b.pattern_part / sqrt(d - 1) as permuted_std
    from matched
    join parts as a on a.model = model_a and a.layer = matched.layer
    join parts as b on b.model = model_b and b.layer = matched.layer
)

select
    model_a, model_b, layer, d,
    round(cosine, 7) as cosine,
    round(offset_share, 7) as offset_share,
    round(offset_share - 2 * permuted_std, 7) as band_low,
    round(offset_share + 2 * permuted_std, 7) as band_high,
    round(cosine - offset_share, 7) as pattern_share,
    round(2 * permuted_std, 7) as band,
    round(pearson, 6) as pearson,
    round(2 / sqrt(d - 1), 6) as pearson_band
from spread
order by layer
