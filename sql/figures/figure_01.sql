-- one row per layer that two models share and sampled dimension
-- what the weights of two models look like side by side, as stored and with each mean taken out
--
-- position: rank of the dimension among the sampled ones, from 1
-- value_a: weight of the first model
-- value_b: weight of the second model
-- centered_a: the same minus the mean of its whole vector
-- centered_b: the same minus the mean of its whole vector
-- cosine: over the whole vectors, as are pearson and d
-- pearson_band: two standard deviations of Pearson over all orders of the dimensions
-- is_best: the layer of the highest cosine, which the document shows
with

chosen as (
    select
        coalesce(getvariable('model_a'), 'solar') as model_a,
        coalesce(getvariable('model_b'), 'glm') as model_b,
        'input_layernorm' as ln_type
),

first_vectors as (
    select layer, d, weights, pattern
    from vectors
    semi join chosen on vectors.model = chosen.model_a and vectors.ln_type = chosen.ln_type
    where pattern is not null
),

second_vectors as (
    select layer, d, weights, pattern
    from vectors
    semi join chosen on vectors.model = chosen.model_b and vectors.ln_type = chosen.ln_type
    where pattern is not null
),

similarities as (
    select
        layer, model_a, model_b, cosine, pearson,
        cosine = max(cosine) over () as is_best
    from matched_layers
    where
        model_a = coalesce(getvariable('model_a'), 'solar')
        and model_b = coalesce(getvariable('model_b'), 'glm')
        and ln_type = 'input_layernorm'
),

dimensions as (
    select
        layer, d,
        unnest(range(d)) as dim,
        unnest(a.weights) as value_a, unnest(b.weights) as value_b,
        unnest(a.pattern) as centered_a, unnest(b.pattern) as centered_b
    from first_vectors as a
    join second_vectors as b using (layer, d)
),

quartiles as (
    select *, ntile(4) over (partition by layer order by value_a + value_b, dim) as quartile
    from dimensions
),

-- 50 of them as 13, 13, 12, 12; a hash of the dimension replaces a random seed
sampled as (
    from quartiles
    qualify row_number() over (partition by layer, quartile order by hash(dim)) <= if(quartile <= 2, 13, 12)
)

select
    model_a, model_b, layer, d, dim,
    row_number() over (partition by layer order by dim) as position,
    value_a, value_b,
    round(centered_a, 6) as centered_a,
    round(centered_b, 6) as centered_b,
    round(cosine, 6) as cosine,
    round(pearson, 6) as pearson,
    round(2 / sqrt(d - 1), 6) as pearson_band,
    is_best
from sampled
join similarities using (layer)
order by layer, dim
