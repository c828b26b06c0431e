-- one row per model, `among` those listed or all: its width and depth, and whether its dimensions have a place
-- The null of the lineage test needs dimensions that could stand in any order. A fixed table of sines and cosines, for
-- one, gives each a frequency; then a model's norms follow themselves when shifted by one dimension (the next
-- frequency) or by half of them (sine and cosine of one). Under one joint permutation of the dimensions the sum of
-- those correlations has mean −K/(d−1) and variance S/(d−1), twice that for half the width, where S is the sum of the
-- squares off the diagonal of Σ x·xᵀ over the K norms x of length 1
--
-- place_z: the largest of the z-scores of weights and biases shifted by 1 and by half the width
-- example: from lineage_places(['solar', 'glm'])
create macro lineage_places(among := null) as table
    with

    norms as materialized (
        select
            model, part, d, hash(ln_type, layer) as norm, ranks,
            list_inner_product(ranks, ranks) as square_length,
            list_transform(ranks, lambda x: x * x) as squares
        from lineage_norms
        where dropped is null and (among is null or list_contains(among, model))
    ),

    described as (
        select
            model,
            mode(d) as width,
            count(distinct concat(stack, ' ', layer)) filter (layer >= 0) as depth,
            coalesce(
                string_agg(distinct concat(stack, ' ', layer), ',' order by concat(stack, ' ', layer)) filter (
                    layer >= 0
                ),
                ''
            ) as layers
        from lineage_norms
        where part = 'weights' and (among is null or list_contains(among, model))
        group by model
    ),

    shifted as (
        select
            model, part, d,
            count(*) as norms,
            sum(list_inner_product(ranks, ranks[2:] || ranks[:1]) / square_length) as by_one,
            sum(list_inner_product(ranks, ranks[d // 2 + 1:] || ranks[:d // 2]) / square_length) as by_half
        from norms
        group by model, part, d
    ),

    -- symmetric: one half, counted twice, and the diagonal
    spread as (
        select
            a.model, a.part,
            sum(
                case when a.norm = b.norm then 1 else 2 end
                * (list_inner_product(a.ranks, b.ranks) ** 2 - list_inner_product(a.squares, b.squares))
                / (a.square_length * b.square_length)
            ) as off_diagonal
        from norms as a
        join norms as b on a.model = b.model and a.part = b.part and a.norm <= b.norm
        group by a.model, a.part
    ),

    placed as (
        select
            model,
            max(greatest(
                (by_one + norms / (d - 1)) / sqrt(off_diagonal / (d - 1)),
                (by_half + norms / (d - 1)) / sqrt((2 - d % 2) * off_diagonal / (d - 1))
            )) as largest_z
        from shifted
        join spread using (model, part)
        where off_diagonal > 0
        group by model
    )

    -- rounded, because threads add in any order and a stored row is to be the same to the byte
    select model, width, depth, layers, round(largest_z, 9) as place_z
    from described
    left join placed using (model)
