-- id: printed.experiment_count
-- title: The critique consists of six experiments (RESULTS) or five (README).
-- documents: critique_results, critique_readme
-- section: whole document, File tree
-- evidence: printed
-- needs:
-- version: 2
-- reading: RESULTS.md reports six, which is counted: a definition. The README says that the script has five; it is
--   older than experiment 6. plain: RESULTS.md reports those five, whatever it adds. as_reported: it reports no
--   others. Observed is the number of experiments that RESULTS.md has figures of.
-- history: v2: the README is the older document, so five may be among six
with

claimed as (
    select
        max(value) filter (item = 'critique.results.six_experiments') as six,
        max(value) filter (item = 'critique.readme.five_experiments') as five
    from printed
),

reported as (
    select count(distinct section) as experiments
    from printed
    where document = 'critique_results' and section like 'Experiment %'
)

select
    unnest([
        'critique.results.six_experiments',
        'critique.readme.five_experiments',
        'critique.readme.five_experiments'
    ]) as item,
    unnest(['plain', 'plain', 'as_reported']) as reading,
    unnest([
        'RESULTS.md has figures of six experiments',
        'RESULTS.md has figures of at least five experiments',
        'RESULTS.md has figures of five experiments and no more'
    ]) as statement,
    unnest([experiments = six, experiments >= five, experiments = five]) as holds,
    unnest([experiments, experiments, experiments]) as observed
from reported
cross join claimed
