-- one row per ordered pair of vectors of one type and width, a vector with itself included: every metric of two vectors
-- the one place that defines them; a metric that a query does not select costs nothing, and a filter on the models
-- reads their vectors only. Undefined is NULL: a constant vector has no Pearson, a zero vector no cosine
with

-- list functions refuse NULL even in rows that a filter has dropped: matrices have no ranks, so their pattern
-- takes their place, unused. (A filter `mean is not null` would keep the filter on models from pruning row groups.)
finite_vectors as (
    select
        model, layer, ln_type, d, mean, std, l2_norm, abs_q99, weights, pattern, ranks,
        coalesce(ranks::double[], pattern) as ranks_or_pattern
    from vectors
    where n_nan + n_inf = 0
),

joined as (
    select
        a.model as model_a, a.layer as layer_a, b.model as model_b, b.layer as layer_b, ln_type, d,
        a.mean as mean_a, a.std as std_a, a.l2_norm as l2_norm_a, a.abs_q99 as abs_q99_a,
        b.mean as mean_b, b.std as std_b, b.l2_norm as l2_norm_b, b.abs_q99 as abs_q99_b,
        list_inner_product(a.pattern, b.pattern) as pattern_product,
        list_distance(a.pattern, b.pattern) as pattern_distance,
        -- ranks are centred, so their cosine is their correlation
        list_cosine_similarity(a.ranks_or_pattern, b.ranks_or_pattern) as rank_correlation,
        a.ranks is not null and a.std > 0 and b.std > 0 as is_ranked,
        list_zip(a.weights, b.weights) as couples
    from finite_vectors as a
    join finite_vectors as b using (ln_type, d)
),

compared as (
    select
        *,
        offset_share_of(d, mean_a, mean_b, l2_norm_a, l2_norm_b) as offset_share,
        pattern_share_of(pattern_product, l2_norm_a, l2_norm_b) as pattern_share,
        list_transform(couples, lambda c: abs(c[1]::double - c[2]::double)) as abs_diffs
    from joined
)

select
    model_a, layer_a, model_b, layer_b, ln_type, d,
    offset_share + pattern_share as cosine,
    pearson_of(pattern_product, d, std_a, std_b) as pearson,
    offset_share,
    pattern_share,
    pearson * sqrt(d - 1) as permutation_z,
    pattern_product + d * mean_a * mean_b as inner_product,
    sqrt(pattern_distance ** 2 + d * (mean_a - mean_b) ** 2) as l2_distance,
    l2_distance / nullif(l2_norm_a, 0) as rel_l2,
    abs(std_a / nullif(abs(mean_a), 0) - std_b / nullif(abs(mean_b), 0)) as cv_diff,
    abs(abs_q99_a - abs_q99_b) as p99_abs_diff,
    case when is_ranked then rank_correlation end as spearman,
    list_avg(abs_diffs) as mean_abs_diff,
    list_max(abs_diffs) as max_abs_diff,
    len(list_filter(abs_diffs, lambda x: x > 0)) / d as changed_ratio,
    len(list_filter(couples, lambda c: sign(c[1]) = sign(c[2]))) / d as sign_agreement
from compared
