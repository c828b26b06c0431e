-- one row per two models of one width: Σ R_a·R_b over all pairs of norms that vary in both, where R holds the
-- rank correlations of a model's own norms; as many as there are norms when layers do not resemble each other,
-- up to their square when all are alike
-- example: from lineage_overlaps(['solar', 'glm'])
create macro lineage_overlaps(among := null) as table
with

norms as (
    select
        model, d, ranks,
        dense_rank() over (order by ln_type, layer) as norm,
        sqrt(list_inner_product(ranks, ranks)) as length
    from lineage_norms
    where dropped is null and (among is null or list_contains(among, model))
),

-- a norm meets all norms of its model in one row, so that no list is copied for a pair
stacks as (
    select
        model, d,
        list(ranks order by norm) as stack,
        list(norm order by norm) as stacked_norms,
        list(length order by norm) as lengths
    from norms
    group by all
),

multiplied as (
    select
        model, d, norm, length, stacked_norms, lengths,
        list_transform(stack, lambda r: list_inner_product(r, ranks)) as products
    from norms
    join stacks using (model, d)
),

own as materialized (
    select
        model, d, norm,
        unnest(stacked_norms) as other_norm,
        unnest(products) / (length * unnest(lengths)) as correlation
    from multiplied
)

select a.model as model_a, b.model as model_b, d, sum(a.correlation * b.correlation) as overlap
from own as a
join own as b using (norm, other_norm, d)
where a.model < b.model
group by all
