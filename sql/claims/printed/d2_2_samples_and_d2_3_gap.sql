-- id: printed.d2_2_samples_and_d2_3_gap
-- title: Table D-2.2 lists six mismatched pairs, and D-2.3 subtracts its own averages correctly.
-- documents: sionic_ko, sionic_en
-- section: D-2.2, D-2.3
-- evidence: printed
-- needs:
-- version: 2
-- reading: The note under D-2.2 says that six pairs are shown: counted. The last row of D-2.3 is matched
--   minus mismatched average: subtracted. Both averages and the difference are rounded, so the tolerance is
--   three half digits.
-- history: v2: names its reading
with

figures as (
    select distinct item, metric, model_a, layer_a, layer_b, scope, aggregate, value, half_digit
    from printed
    where section in ('D-2.2', 'D-2.3')
),

listed_pairs as (
    select count(*) as pairs
    from figures
    where metric = 'cosine' and layer_a is not null
),

average_gaps as (
    select
        matched.metric,
        matched.value - mismatched.value as gap,
        matched.half_digit + mismatched.half_digit as rounding
    from figures as matched
    join figures as mismatched using (metric, aggregate)
    where
        aggregate = 'mean'
        and matched.scope = 'matched_layers'
        and mismatched.scope = 'mismatched_pairs'
)

select
    figures.item,
    'plain' as reading,
    figures.value as expected,
    figures.half_digit as tolerance,
    listed_pairs.pairs as observed
from figures
cross join listed_pairs
where figures.scope = 'listed_mismatched_pairs'
union all
select
    figures.item,
    'plain' as reading,
    figures.value as expected,
    figures.half_digit + average_gaps.rounding as tolerance,
    average_gaps.gap as observed
from figures
left join average_gaps using (metric)
where figures.scope = 'matched_minus_mismatched'
order by item
