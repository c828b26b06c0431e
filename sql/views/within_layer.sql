-- one row per model and layer that has both norms
-- the vector input minus post-attention norm of a layer, and how alike the two are
--
-- cosine: cosine of the two norms
-- pearson: Pearson correlation of the two norms
with

input_norms as (
    from vectors
    where ln_type = 'input_layernorm' and mean is not null
),

post_norms as (
    from vectors
    where ln_type = 'post_attention_layernorm' and mean is not null
),

-- a difference of patterns is the pattern of the difference, already free of its mean
subtracted as (
    select
        model, layer, d,
        input_norms.mean - post_norms.mean as diff_mean,
        list_transform(list_zip(input_norms.pattern, post_norms.pattern), lambda c: c[1] - c[2]) as diff_pattern,
        list_inner_product(input_norms.pattern, post_norms.pattern) as pattern_product,
        d * input_norms.mean * post_norms.mean as offset_product,
        input_norms.l2_norm * post_norms.l2_norm as l2_norms,
        d * input_norms.std * post_norms.std as spreads
    from input_norms
    join post_norms using (model, layer, d)
)

select
    model, layer, d, diff_mean,
    sqrt(list_inner_product(diff_pattern, diff_pattern) / d) as diff_std,
    (pattern_product + offset_product) / nullif(l2_norms, 0) as cosine,
    pattern_product / nullif(spreads, 0) as pearson,
    diff_pattern
from subtracted
