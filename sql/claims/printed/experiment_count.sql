-- id: printed.experiment_count
-- title: The critique consists of six experiments (RESULTS) or five (README).
-- documents: critique_results, critique_readme
-- section: whole document, File tree
-- evidence: printed
-- needs:
-- version: 1
-- reading: Both numbers are held against the experiments that RESULTS.md reports figures for. The README is
--   the older of the two: it was written before experiment 6.
with

claimed as (
    select distinct item, value, half_digit
    from printed
    where item in ('critique.results.six_experiments', 'critique.readme.five_experiments')
),

reported as (
    select count(distinct section) as experiments
    from printed
    where document = 'critique_results' and section like 'Experiment %'
)

select
    claimed.item,
    claimed.value as expected,
    claimed.half_digit as tolerance,
    reported.experiments as observed
from claimed
cross join reported
order by claimed.item
