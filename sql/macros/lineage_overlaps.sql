-- one row per two models of one width, over the norms that vary in both
--   agreement  Σ r, the rank correlations of matched norms
--   overlap    Σ R_a·R_b over all pairs of norms, where R holds the rank correlations of a model's own norms: as many
--              as there are norms when layers do not resemble each other, up to their square when all are alike
-- example: from lineage_overlaps(['solar', 'glm'])
create macro lineage_overlaps(among := null, around := null) as table
    with

    -- hashes of 64 bits stand for a norm and for two: with thousands of norms, joins on names take most of the time
    norms as materialized (
        select model, d, hash(ln_type, layer) as norm, ranks, sqrt(list_inner_product(ranks, ranks)) as length
        from lineage_norms
        where dropped is null and (among is null or list_contains(among, model))
    ),

    agreements as (
        select
            a.model as model_a, b.model as model_b, d,
            sum(list_inner_product(a.ranks, b.ranks) / (a.length * b.length)) as agreement
        from norms as a
        join norms as b using (norm, d)
        where case when around is null then a.model < b.model else a.model = around and b.model <> around end
        group by all
    ),

    -- R is symmetric: one half of it, counted twice, and its diagonal
    own as materialized (
        select
            model, d,
            hash(a.norm, b.norm) as two_norms,
            case when a.norm = b.norm then 1 else 2 end as times,
            list_inner_product(a.ranks, b.ranks) / (a.length * b.length) as correlation
        from norms as a
        join norms as b using (model, d)
        where a.norm <= b.norm
    ),

    overlapping as (
        select a.model as model_a, b.model as model_b, d, sum(a.times * a.correlation * b.correlation) as overlap
        from own as a
        join own as b using (two_norms, d)
        where case when around is null then a.model < b.model else a.model = around and b.model <> around end
        group by all
    )

    select model_a, model_b, d, agreement, overlap
    from agreements
    join overlapping using (model_a, model_b, d)
