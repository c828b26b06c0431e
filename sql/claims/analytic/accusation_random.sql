-- id: analytic.accusation_random
-- title: Random vectors around 1 have a cosine of 0.9999 and a Pearson of 0; around 0, a cosine of 0 ± 0.0156.
-- documents: accusation_output
-- section: comprehensive_analysis.png, out_comprehensive/statistics.json, compare_embeddings.py lines 441-443
-- evidence: analytic
-- needs:
-- version: 1
-- reading: The script draws values of mean 1 and standard deviation 0.01. Their cosine is 1 / (1 + 0.01²) on
--   average, and the highest of 10,000 lies below 0.99995. Sigma: the mean cosine of the input norms minus that of
--   random vectors, over the deviation, all as the script stored them; printed as "above" with a minus sign, which
--   is below. Pearson of vectors of 4096 values: mean 0, deviation 1/√4095; four standard errors of 10,000 draws
--   are allowed, which for the deviation is 0.00044. Around 0: 1/√4096.
with

figures as (
    select
        item, metric, aggregate, value, half_digit
    from printed
    where document = 'accusation_output'
),

inputs as (
    select
        max(value) filter (item like '%random_baseline' and metric = 'dimension_count') as width,
        max(value) filter (item like '%sigma_above_random' and aggregate = 'mean' and value < 0.99) as norms,
        max(value) filter (item like '%sigma_above_random' and aggregate = 'mean') as random_mean,
        min(value) filter (item like '%sigma_above_random' and aggregate = 'std') as random_std
    from figures
),

wanted (item, metric, aggregate, tolerance) as (
    values
    ('all.random_baseline', 'cosine', 'mean', null),
    ('all.sigma_above_random', 'sigma', null, null),
    ('all.random_pearson', 'pearson', 'std', 0.00044),
    ('emb.null_0_0156', 'cosine', 'std', null)
)

select
    figures.item,
    'plain' as reading,
    figures.value as expected,
    coalesce(wanted.tolerance, figures.half_digit) as tolerance,
    case wanted.item
        when 'all.random_baseline' then 1 / (1 + 0.01 ** 2)
        when 'all.sigma_above_random' then (norms - random_mean) / random_std
        when 'all.random_pearson' then 1 / sqrt(width - 1)
        else 1 / sqrt(width)
    end as observed
from wanted
left join figures
    on
        figures.item = 'accusation.output.' || wanted.item
        and figures.metric = wanted.metric and figures.aggregate is not distinct from wanted.aggregate
cross join inputs
order by figures.item
