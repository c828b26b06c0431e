-- one row per metric: what two independent vectors of normal values give, simulated and in closed form;
-- the same draws each time (a hash stands for the random numbers); the cosine's form is of first order in 1/d
-- example: from random_baseline(4096, 1.0, 0.1, 200)
create macro random_baseline(width, centre, spread, trials := 200) as table
    with

    -- Box-Muller: two uniform numbers give the two independent normal ones of a dimension
    drawn as (
        select
            trial,
            sqrt(-2 * ln((hash(2 * (trial * width + dim)) + 0.5) / 2 ** 64)) as radius,
            2 * pi() * hash(2 * (trial * width + dim) + 1) / 2 ** 64 as angle,
            centre + spread * radius * cos(angle) as x,
            centre + spread * radius * sin(angle) as y
        from range(trials) as t (trial), range(width) as d (dim)
    ),

    compared as (
        select
            sum(x * y) / sqrt(sum(x * x) * sum(y * y)) as cosine,
            corr(x, y) as pearson,
            sqrt(sum((x - y) ** 2)) as l2_distance
        from drawn
        group by trial
    ),

    simulated as (
        from (unpivot compared on cosine, pearson, l2_distance into name metric value value)
    ),

    power as (
        select
            centre ** 2 + spread ** 2 as total,
            sqrt(2) * exp(lgamma((width + 1) / 2) - lgamma(width / 2)) as chi_mean
    ),

    closed_form (metric, expected_mean, expected_std) as (
        select
            unnest(['cosine', 'pearson', 'l2_distance']),
            unnest([centre ** 2 / total, 0, sqrt(2) * spread * chi_mean]),
            unnest([
                spread ** 2 / total ** 2
                * sqrt((2 * centre ** 4 + 4 * centre ** 2 * spread ** 2 + spread ** 4) / width),
                1 / sqrt(width - 1),
                sqrt(2) * spread * sqrt(width - chi_mean ** 2)
            ])
        from power
    )

    select
        metric,
        count(*) as trials,
        avg(value) as simulated_mean,
        stddev_samp(value) as simulated_std,
        any_value(expected_mean) as expected_mean,
        any_value(expected_std) as expected_std
    from simulated
    join closed_form using (metric)
    group by metric
    order by metric
