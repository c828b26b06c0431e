-- id: critique.undecidable
-- title: What the README says that nothing here can decide: what a run costs, and that readers are to judge.
-- documents: critique_readme
-- section: GPU requirements, FAQ Q4, Summary
-- evidence: printed
-- needs:
-- version: 1
-- reading: Time and memory of a run are those of the authors' computer, network and program. That the judgement
--   is left to the readers is said at the top and at the end; it is a position.
with

said (item, statement) as (
    values
    ('critique.readme.runtime', 'depends on computer, network and program'),
    ('critique.readme.readers_judge', 'a position, which no figure confirms or denies')
)

select
    item,
    'plain' as reading,
    statement,
    null::boolean as holds,
    null::double as observed
from said
order by item
