-- one row: are a model's norms a weighted mean of the norms of two others, and with which weight?
--   weight           of `one`, over all norms; the weight of `other` is 1 − weight
--   weight_low/high  95 % interval; norms are taken as independent
--   least/most       smallest and largest weight of a single norm whose standard error is below 0.005
--   explained        how much of the distance (squared) to the nearer of the two a mean with one weight explains
--   explained_by_norm  the same with a weight for each norm
--   residual_steps   root mean square of the residual, in rounding steps of the stored type; an exact mean leaves 0.3
-- A mixture explains 99 %, or 90 % if the residual is no larger than rounding; nearly one explains 95 %. Of 39,806
-- triples of trained relatives that are no merges, none with a weight between 0 and 1 explained more than 81 %
-- example: from blend('intellect', 'glm', 'solar')
create macro blend(mixture, one, other) as table
    with

    norms_shared as materialized (
        from blend_norms(mixture, one, other)
    ),

    added as (
        select
            count(*) as norms_used,
            sum(d) as values_used,
            sum(product) / nullif(sum(square), 0) as pooled,
            sum(square) as square,
            least(sum(square_one), sum(square_other)) as nearer,
            greatest(sum(square_other) - sum(product) ** 2 / nullif(sum(square), 0), 0) as residual,
            sum(residual) as residual_by_norm,
            min(weight) filter (standard_error < 0.005) as least,
            max(weight) filter (standard_error < 0.005) as most
        from norms_shared
    ),

    -- the error of the weight as the norms scatter about it
    scattered as (
        select sqrt(sum((product - pooled * norms_shared.square) ** 2)) / any_value(added.square) as error
        from norms_shared
        cross join added
    ),

    described as (
        select
            *,
            pooled as weight,
            weight - 1.96 * error as weight_low,
            weight + 1.96 * error as weight_high,
            case when weight is not null then 1 - residual / nullif(nearer, 0) end as explained,
            case when weight is not null then 1 - residual_by_norm / nullif(nearer, 0) end as explained_by_norm,
            case when weight is not null then sqrt(residual / nullif(values_used, 0)) end as residual_steps
        from added
        cross join scattered
    )

    select
        mixture as model, one as model_one, other as model_other, norms_used, weight, weight_low, weight_high,
        least, most, explained, explained_by_norm, residual_steps,
        case
            when norms_used < 4 then 'cannot tell: the three models share ' || norms_used || ' norms'
            when square = 0 then 'cannot tell: ' || one || ' and ' || other || ' have the same norms'
            when nearer = 0 then 'not a mixture: the same norms as one of the two'
            when (explained >= 0.99 or explained >= 0.9 and residual_steps <= 0.4) and weight between 0.02 and 0.98
                then
                    format('a mixture of {} and {} ({:.2f} : {:.2f}', one, other, weight, 1 - weight)
                    || case
                        when most - least <= 0.04 then ', the same in all norms)'
                        else format('; {:.2f} to {:.2f} in single norms)', least, most)
                    end
            when explained_by_norm >= 0.99 and least >= -0.02 and most <= 1.02
                then
                    format('a mixture of {} and {}', one, other)
                    || format(' (weight of the first {:.2f} to {:.2f} by norm)', least, most)
            when explained >= 0.95 and weight between 0.02 and 0.98
                then
                    format('nearly a mixture of {} and {} ({:.2f} : {:.2f})', one, other, weight, 1 - weight)
                    || ', as SLERP or training after a merge would leave it'
            when residual_steps < 0.6
                then 'cannot tell: ' || one || ' and ' || other || ' differ by little more than rounding'
            -- within a tenth of the distance between the two
            when nearer <= 0.01 * square and explained < 0.01
                then
                    format(
                        'not a mixture of these: almost equal to {} alone, {} adds nothing',
                        if(weight > 0.5, one, other), if(weight > 0.5, other, one)
                    )
            else 'not a mixture of these'
        end as verdict
    from described
