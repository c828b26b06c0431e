-- one row per two models, part of their norms and way to compare them: how much the vectors that belong together agree,
-- by rank. The way that counts is the one that `lineage_candidates` says
--   agreement  Σ r, the correlations of vectors that belong together
-- example: from lineage_agreements(['solar', 'glm'])
create macro lineage_agreements(among := null::varchar[], around := null::varchar) as table
    with

    -- gathered and taken apart again, so that DuckDB does not take them for many and hold the norms instead
    models_asked as materialized (
        select each_of(model_a, model_b) as model
        from lineage_candidates(among := among, around := around)
        where width_a = width_b
    ),

    changed as materialized (from lineage_changed(among := among, around := around)),

    -- read anew at each mention: a thousand models are 0.3 GB of ranks, to be kept nowhere
    ranked as not materialized (
        select * from lineage_ranked where model in (select model from models_asked)
    ),

    -- ranks become doubles here, which what is changed is: once, and not in every pair
    firsts as not materialized (
        select * from ranked
        union all
        select * from changed
    ),

    correlated as (
        select
            a.model as model_a, b.model as model_b, a.part, a.d, a.over_layers, a.smoothless as smoothless_a,
            b.smoothless as smoothless_b, a.norms as norms_a, b.norms as norms_b,
            correlation_of(a.vector, b.vector, a.length, b.length) as correlation
        from ranked as b
        join firsts as a on a.norm = b.norm and a.d = b.d and a.over_layers = b.over_layers
        union all
        select
            a.model as model_a, b.model as model_b, a.part, a.d, a.over_layers, a.smoothless as smoothless_a,
            b.smoothless as smoothless_b, a.norms as norms_a, b.norms as norms_b,
            correlation_of(a.vector, b.vector, a.length, b.length) as correlation
        from changed as b
        join firsts as a on a.norm = b.norm and a.d = b.d and a.over_layers = b.over_layers
        where not (a.smoothless and b.smoothless)
    )

    -- correlations are rounded to 2^-44, which their sum can hold: it is the same to the last bit in whatever order
    -- threads add them up
    select
        model_a, model_b, part, d, over_layers, smoothless_a, smoothless_b,
        count(*) as vectors, least(sum(norms_a), sum(norms_b)) as norms_used,
        sum(round(correlation * 2 ** 44) / 2 ** 44) as agreement
    from correlated
    where case when around is null then model_a < model_b else model_a = around and model_b <> around end
    group by model_a, model_b, part, d, over_layers, smoothless_a, smoothless_b
