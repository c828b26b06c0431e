-- id: printed.d2_1_average
-- title: The average row of table D-2.1 is the mean of the ten rows above it.
-- documents: sionic_ko, sionic_en
-- section: D-2.1
-- evidence: printed
-- needs:
-- version: 1
-- reading: The table lists layers 0, 5, …, 45 and closes with a row named average. Read as the mean of the
--   rows it stands under. Each row is rounded by up to half a digit, so the mean of the true rows lies within
--   half a digit of the mean of the printed ones; the average row is rounded once more. The tolerance is
--   therefore one whole digit of the last place. That the row may mean all 47 layers is another reading; the
--   table does not say so, and it is a claim about weights.
with

printed_figures as (
    select distinct item, metric, layer_a, scope, value, half_digit
    from printed
    where section = 'D-2.1'
),

row_means as (
    select
        metric,
        avg(value) as mean,
        max(half_digit) as half_digit
    from printed_figures
    where layer_a is not null
    group by metric
)

select
    average.item,
    average.value as expected,
    average.half_digit + row_means.half_digit as tolerance,
    row_means.mean as observed
from printed_figures as average
left join row_means using (metric)
where average.scope = 'listed_rows'
order by average.item
