-- one row per two models, `among` those listed or all: do their norms agree more than chance allows?
-- Norms are matched by layer number and compared by rank. Under one joint permutation of the dimensions of all
-- norms of one model the sum of the correlations has mean 0 and variance Σ R_a·R_b / (d−1), where R holds the
-- rank correlations of a model's own norms with each other: z_eff divides by its root, k_eff norms' worth of
-- evidence; z_naive counts every norm in full, as if a model's layers did not resemble each other
-- example: from lineage_pairs(['solar', 'glm', 'phi'])
create macro lineage_pairs(among := null) as table
with

norms as (
    select *, dense_rank() over (order by ln_type, layer) as norm
    from lineage_norms
    where among is null or list_contains(among, model)
),

described as (
    select
        model,
        mode(d) as d,
        count(distinct layer) filter (layer >= 0) as depth
    from norms
    group by model
),

candidates as (
    select
        a.model as model_a, b.model as model_b, a.d as width_a, b.d as width_b, a.depth as depth_a,
        b.depth as depth_b
    from described as a
    join described as b on a.model < b.model
),

held as (
    select
        a.model as model_a, b.model as model_b,
        count(*) as norms_matched,
        count(coalesce(a.dropped, b.dropped)) as norms_dropped,
        string_agg(distinct a.dropped || ' in ' || a.model, ', ') as dropped_a,
        string_agg(distinct b.dropped || ' in ' || b.model, ', ') as dropped_b
    from norms as a
    join norms as b on a.norm = b.norm and a.d = b.d and a.model < b.model
    group by all
),

correlated as (
    select
        a.model as model_a, b.model as model_b, a.d,
        count(*) as norms_used,
        avg(m.cosine) as cosine_mean,
        avg(m.pearson) as pearson_mean,
        avg(m.spearman) as spearman_mean,
        avg(m.offset_share) as offset_share_mean,
        avg(m.pattern_share) as pattern_share_mean
    from norms as a
    join norms as b on a.norm = b.norm and a.d = b.d and a.model < b.model
    join matched_layers as m
        on m.model_a = a.model and m.model_b = b.model and m.layer = a.layer and m.ln_type = a.ln_type
    where a.dropped is null and b.dropped is null
        and (among is null or (list_contains(among, m.model_a) and list_contains(among, m.model_b)))
    group by all
),

-- a norm meets all norms of its model in one row, so that no list is copied for a pair
stacks as (
    select
        model, d,
        list(ranks order by norm) as stack,
        list(norm order by norm) as stacked_norms,
        list(sqrt(list_inner_product(ranks, ranks)) order by norm) as lengths
    from norms
    where dropped is null
    group by all
),

multiplied as (
    select
        model, d, norm, stacked_norms, lengths,
        sqrt(list_inner_product(ranks, ranks)) as length,
        list_transform(stack, lambda r: list_inner_product(r, ranks)) as products
    from norms
    join stacks using (model, d)
    where dropped is null
),

own as materialized (
    select
        model, d, norm,
        unnest(stacked_norms) as other_norm,
        unnest(products) / (length * unnest(lengths)) as correlation
    from multiplied
),

overlapping as (
    select a.model as model_a, b.model as model_b, sum(a.correlation * b.correlation) as overlap
    from own as a
    join own as b on a.norm = b.norm and a.other_norm = b.other_norm and a.d = b.d and a.model < b.model
    group by all
),

tested as (
    select
        *,
        coalesce(norms_used, 0) as used,
        norms_used ** 2 / overlap as k_eff,
        spearman_mean * sqrt(norms_used * (d - 1)) as z_naive,
        spearman_mean * sqrt(k_eff * (d - 1)) as z_eff,
        sqrt(k_eff * (d - 1)) as z_most
    from candidates
    left join held using (model_a, model_b)
    left join correlated using (model_a, model_b)
    left join overlapping using (model_a, model_b)
),

explained as (
    select
        *,
        case
            when width_a <> width_b then format('widths differ ({} and {})', width_a, width_b)
            when used = 0 and norms_dropped > 0
                then concat_ws(', ', dropped_a, dropped_b) || ' (folded into the next matrix, or never trained)'
            when used < (select least_norms from lineage_thresholds)
                or z_most < (select share_z from lineage_thresholds)
                then format('too few norms ({})', used)
        end as obstacle,
        case
            when depth_a <> depth_b
                then format('depths differ ({} and {} layers) and layers of one number do not agree', depth_a, depth_b)
        end as other_depth
    from tested
)

select
    model_a, model_b, d, depth_a, depth_b,
    used as norms_used,
    coalesce(norms_dropped, 0) as norms_dropped,
    nullif(concat_ws(', ', dropped_a, dropped_b), '') as dropped,
    cosine_mean, pearson_mean, spearman_mean, offset_share_mean, pattern_share_mean, k_eff, z_naive, z_eff, z_most,
    obstacle,
    lineage_verdict(z_eff, coalesce(obstacle, other_depth)) as verdict
from explained
