-- id: printed.d2_1_average
-- title: The average row of table D-2.1 gives the mean of the diagonal.
-- documents: sionic_ko, sionic_en
-- section: D-2.1, D-2.3
-- evidence: printed
-- needs:
-- version: 2
-- reading: The table lists layers 0, 5, …, 45 of the diagonal and closes with a row named average. Section 2 and
--   D-2.3 print the same two figures as the average of the diagonal, all 47 matched layers: plain. listed_rows: as
--   the mean of the ten rows above it, which the table does not exclude. Rows and average are rounded to
--   four digits: tolerance is half a digit of each.
-- history: v2: plain is what section 2 and D-2.3 call the average; the ten rows are a reading beside it
with

averages as (
    select distinct item, metric, value, half_digit
    from printed
    where section = 'D-2.1' and scope = 'listed_rows'
),

diagonal as (
    select metric, 'plain' as reading, max(value) as mean, max(half_digit) as half_digit
    from printed
    where section = 'D-2.3' and scope = 'matched_layers' and aggregate = 'mean'
    group by metric
),

rows_listed as (
    select distinct metric, layer_a, value, half_digit
    from printed
    where section = 'D-2.1' and layer_a is not null
),

means as (
    from diagonal
    union all
    select metric, 'listed_rows' as reading, avg(value) as mean, max(half_digit) as half_digit
    from rows_listed
    group by metric
)

select
    averages.item,
    means.reading,
    averages.value as expected,
    averages.half_digit + means.half_digit as tolerance,
    means.mean as observed
from averages
left join means using (metric)
order by averages.item, means.reading desc
