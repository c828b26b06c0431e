-- one row per layer and type of norm that three models share: is the first a weighted mean of the other two?
-- Regresses a − c on b − c without a constant. All sums are in rounding steps of the first model's stored type at the
-- largest of the three values, so that large and small norms count alike and an exact mean leaves about 0.3 steps
--   weight          of `one` in the mean; NULL where `one` and `other` have the same values
--   standard_error  of that weight, from the residuals
--   product         Σ (a−c)·(b−c)
--   square          Σ (b−c)²
--   square_one      Σ (a−b)²
--   square_other    Σ (a−c)²
--   residual        Σ of the squared residuals, with this norm's own weight
-- example: from blend_norms('intellect', 'glm', 'solar')
create macro blend_norms(mixture, one, other) as table
    with

    -- digits after the leading one
    stored as (
        select coalesce(case dtype when 'BF16' then 7 when 'F16' then 10 end, 23) as digits
        from models
        where model = mixture
    ),

    shared as (
        select layer, ln_type
        from vector_stats
        where model in (mixture, one, other)
        group by layer, ln_type
        having count(distinct model) = 3 and min(d) = max(d)
    ),

    aligned as (
        select
            layer, ln_type,
            mixed.value::double as a, first.value::double as b, second.value::double as c,
            greatest(abs(mixed.value), abs(first.value), abs(second.value))::double as size
        from norms as mixed
        join norms as first using (layer, ln_type, dim)
        join norms as second using (layer, ln_type, dim)
        join shared using (layer, ln_type)
        where mixed.model = mixture and first.model = one and second.model = other
    ),

    in_steps as (
        select layer, ln_type, (a - c) / step as y, (b - c) / step as x, (a - b) / step as z
        from (select *, 2.0 ** (floor(log2(nullif(size, 0))) - digits) as step from aligned cross join stored)
        where isfinite(a) and isfinite(b) and isfinite(c) and step is not null
    ),

    added as (
        select
            layer, ln_type, count(*) as d,
            sum(x * y) as product, sum(x * x) as square, sum(z * z) as square_one, sum(y * y) as square_other
        from in_steps
        group by layer, ln_type
    ),

    fitted as (
        select
            *,
            product / nullif(square, 0) as weight,
            greatest(square_other - coalesce(product * weight, 0), 0) as residual
        from added
    )

    select
        layer, ln_type, d, weight,
        sqrt(residual / nullif(d - 1, 0) / nullif(square, 0)) as standard_error,
        product, square, square_one, square_other, residual
    from fitted
    -- no row, but the error of a model that is not there
    union all by name
    select null as layer
    where not known_models([mixture, one, other])
    order by layer, ln_type
