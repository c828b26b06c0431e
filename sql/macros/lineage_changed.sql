-- one row per vector that the lineage test compares in place of a norm: the sum of a model's norms of one type, a norm
-- with the smooth part taken out, or both; of the models `among` those listed or all, or `around` one, what their pairs
-- need. The columns are those of `lineage_vectors`
-- example: select count(*) from lineage_changed(['solar', 'glm'])
create macro lineage_changed(among := null::varchar[], around := null::varchar) as table
    with

    pairs_asked as (
        from lineage_candidates(among := among, around := around)
        where width_a = width_b
    ),

    wanted as materialized (
        select model_a as model, over_layers, smoothless_a as smoothless
        from pairs_asked
        where over_layers or smoothless_a
        union
        select model_b as model, over_layers, smoothless_b as smoothless
        from pairs_asked
        where over_layers or smoothless_b
    ),

    -- Spark would compute the mean anew for every dimension it is taken from
    averaged as materialized (
        select model, part, layer, ln_type, d, rough, mean_of(rough) as middle
        from files.rough_norms
        where model in (select each_of(model, model) from wanted where smoothless)
    ),

    ranked as (
        select model, part, layer, ln_type, d, ranks, false as smoothless
        from lineage_norms
        where dropped is null and model in (select each_of(model, model) from wanted where not smoothless)
        union all
        select model, part, layer, ln_type, d, pattern_of(rough, middle) as ranks, true as smoothless
        from averaged
    ),

    measured as (
        select *, sqrt(inner_product(ranks, ranks)) as length
        from ranked
    ),

    -- of a norm that has one value in either half nothing is left but its smooth part
    scaled as (
        select * from measured where length > 0
    ),

    summed as (
        select
            model, part, -1 as layer, ln_type, d, smoothless, count(*) as norms,
            sum_of_lists(list_transform(ranks, lambda x: x / nullif(length, 0)), layer) as vector
        from scaled
        where model in (select model from wanted where over_layers)
        group by model, part, ln_type, d, smoothless
    )

    select
        model, part, layer, ln_type, d, key_of(ln_type, layer) as norm, false as over_layers, smoothless, 1 as norms,
        ranks as vector, length, owner_of(model, part, false, smoothless) as owner
    from scaled
    where (model, false, smoothless) in (select model, over_layers, smoothless from wanted)
    union all
    select
        model, part, layer, ln_type, d, key_of(ln_type, layer) as norm, true as over_layers, smoothless, norms,
        vector, sqrt(inner_product(vector, vector)) as length, owner_of(model, part, true, smoothless) as owner
    from summed
    where (model, true, smoothless) in (select model, over_layers, smoothless from wanted)
