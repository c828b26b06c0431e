-- id: printed.experiment_count
-- title: The critique consists of six experiments (RESULTS) or five (README).
-- documents: critique_results, critique_readme
-- section: whole document, File tree
-- evidence: printed
-- needs:
-- version: 3
-- reading: RESULTS.md reports six, which is counted: a definition. The README says that the script has five. It is
--   older than experiment 6: RESULTS.md at the README's own commit has five, all of which the later one reports,
--   too. Observed is the number of experiments that RESULTS.md has figures of.
-- history: v2: the README is the older document, so five may be among six
-- history: v3: without the reading that asks an older text for what was added later
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
    unnest(['critique.results.six_experiments', 'critique.readme.five_experiments']) as item,
    'plain' as reading,
    unnest(['RESULTS.md has figures of six experiments', 'RESULTS.md has figures of at least five']) as statement,
    unnest([experiments = six, experiments >= five]) as holds,
    unnest([experiments, experiments]) as observed
from reported
cross join claimed
