-- one row per layer of one model and layer of the other: how much their norm weights agree, by rank, summed over types
-- example: from lineage_layers('solar', 'glm')
create macro lineage_layers(one, other) as table
    with

    norms as (
        select model, layer, ln_type, ranks, sqrt(inner_product(ranks, ranks)) as length
        from lineage_norms
        where kind = 'weights' and dropped is null and layer >= 0 and model in (one, other)
    )

    select
        a.layer as layer_a, b.layer as layer_b,
        sum(inner_product(a.ranks, b.ranks) / (a.length * b.length)) as agreement
    from norms as a
    join norms as b using (ln_type)
    where a.model = one and b.model = other and len(a.ranks) = len(b.ranks)
    group by layer_a, layer_b
