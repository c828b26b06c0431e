-- one row per vector that the lineage test compares: the ranks of a norm, detrended or not, or their sum over layers;
-- of the models `among` those listed or all, or `around` one, in the forms that their pairs need
--   over_layers   whether it is the sum over layers of a type; its layer is then -1
--   is_detrended  whether the ranks are detrended
--   norms         how many norms it is made of
--   length        Euclidean length of the vector
-- example: select model, ln_type, layer, norms from lineage_vectors(['solar', 'glm'])
create macro lineage_vectors(
    among := null::varchar[], around := null::varchar, groups := null::varchar[][]
) as table
    with

    pairs_to_test as (
        from lineage_pairs_to_test(among := among, around := around, groups := groups)
        where width_a = width_b
    ),

    wanted as materialized (
        select model_a as model, over_layers, is_detrended_a as is_detrended from pairs_to_test
        union
        select model_b as model, over_layers, is_detrended_b as is_detrended from pairs_to_test
    ),

    -- unnest(list(…)) tells DuckDB that the models are few: it then reads the row groups of these models only
    ranked_models as materialized (
        select unnest(list(distinct model)) as model from wanted where not is_detrended
    ),

    detrended_models as materialized (
        select unnest(list(distinct model)) as model from wanted where is_detrended
    ),

    -- a step of its own: Spark would compute the mean again for every dimension
    detrended as materialized (
        select model, kind, layer, ln_type, d, detrended_ranks, mean_of(detrended_ranks) as mean_rank
        from files.detrended_ranks
        where model in (select model from detrended_models)
    ),

    both_kinds as (
        select model, kind, layer, ln_type, d, false as is_detrended, ranks as vector
        from lineage_norms
        where dropped is null and model in (select model from ranked_models)
        union all
        select model, kind, layer, ln_type, d, true as is_detrended, pattern_of(detrended_ranks, mean_rank) as vector
        from detrended
    ),

    measured as (
        select *, sqrt(inner_product(vector, vector)) as length
        from both_kinds
    ),

    -- a norm with one value in either half is all trend: nothing is left of it
    by_layer as (
        select model, kind, layer, ln_type, d, false as over_layers, is_detrended, 1 as norms, vector, length
        from measured
        where not is_detrended or length > 0
    ),

    summed as (
        select
            model, kind, -1 as layer, ln_type, d, true as over_layers, is_detrended, count(*) as norms,
            sum_of_lists(list_transform(vector, lambda x: x / nullif(length, 0)), layer) as vector
        from measured
        where length > 0 and model in (select model from wanted where over_layers)
        group by model, kind, ln_type, d, is_detrended
    ),

    every_form as (
        select * from by_layer
        union all
        select *, sqrt(inner_product(vector, vector)) as length from summed
    )

    select model, kind, layer, ln_type, d, over_layers, is_detrended, norms, vector, length
    from every_form
    where (model, over_layers, is_detrended) in (select model, over_layers, is_detrended from wanted)
