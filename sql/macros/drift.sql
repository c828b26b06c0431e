-- one row per layer and type of a base and its child: how many values moved and how far, also counted in BF16
-- steps at the base's value (mean over the moved values)
-- example: from drift('glm', 'intellect')
create macro drift(base, child) as table
    with

    bases as (
        from vectors
        where model = base and mean is not null
    ),

    children as (
        from vectors
        where model = child and mean is not null
    ),

    zipped as (
        select layer, ln_type, d, list_zip(bases.weights::double[], children.weights::double[]) as couples
        from bases
        join children using (layer, ln_type, d)
    ),

    measured as (
        select
            *,
            list_transform(couples, lambda c: abs(c[2] - c[1])) as abs_diffs,
            list_transform(
                list_filter(couples, lambda c: c[1] <> c[2]), lambda c: abs(c[2] - c[1]) / bf16_step(c[1])
            ) as steps
        from zipped
    )

    select
        layer, ln_type, d,
        len(steps) / d as changed_ratio,
        list_avg(abs_diffs) as mean_abs_diff,
        list_max(abs_diffs) as max_abs_diff,
        list_avg(steps) as mean_bf16_steps,
        list_max(steps) as max_bf16_steps
    from measured
    -- no row, but the error of a model that is not there
    union all by name
    select null as layer
    where not known_models([base, child])
    order by ln_type, layer
