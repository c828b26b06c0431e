-- one row per pair of vectors of one type and width, from two views or calls given as text, by the plain join:
-- for few pairs, with what needs the elements; filters on models, layers and types reach both scans
-- example: select model_b, mean_abs_diff from joined_vectors('vectors', 'vectors') where model_a = 'solar'
create macro joined_vectors(firsts, seconds) as table
with

-- matrices have no ranks; list functions refuse a NULL anywhere near, so their pattern stands in, unused
first_vectors as (
    select *, coalesce(ranks, pattern) as ranks_or_pattern
    from query('from ' || firsts)
    where pattern is not null
),

second_vectors as (
    select *, coalesce(ranks, pattern) as ranks_or_pattern
    from query('from ' || seconds)
    where pattern is not null
),

joined as (
    select
        a.model as model_a, a.layer as layer_a, b.model as model_b, b.layer as layer_b, ln_type, d,
        a.mean as mean_a, a.std as std_a, a.l2_norm as l2_norm_a, a.abs_q99 as abs_q99_a,
        b.mean as mean_b, b.std as std_b, b.l2_norm as l2_norm_b, b.abs_q99 as abs_q99_b,
        list_inner_product(a.pattern, b.pattern) as pattern_product,
        list_distance(a.pattern, b.pattern) as pattern_distance,
        -- ranks are centred, so their cosine is their correlation
        list_cosine_similarity(a.ranks_or_pattern, b.ranks_or_pattern) as rank_cosine,
        a.ranks is not null and a.std > 0 and b.std > 0 as is_ranked,
        list_zip(a.weights, b.weights) as couples
    from first_vectors as a
    join second_vectors as b using (ln_type, d)
),

subtracted as (
    select *, list_transform(couples, lambda c: abs(c[1]::double - c[2]::double)) as abs_diffs
    from joined
)

select
    model_a, layer_a, model_b, layer_b, ln_type, d, mean_a, std_a, l2_norm_a, abs_q99_a, mean_b, std_b,
    l2_norm_b, abs_q99_b, pattern_product, pattern_distance,
    list_avg(abs_diffs) as mean_abs_diff,
    list_max(abs_diffs) as max_abs_diff,
    len(list_filter(abs_diffs, lambda x: x > 0)) / d as changed_ratio,
    len(list_filter(couples, lambda c: sign(c[1]) = sign(c[2]))) / d as sign_agreement,
    case when is_ranked then rank_cosine end as spearman
from subtracted
