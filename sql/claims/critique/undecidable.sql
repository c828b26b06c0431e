-- id: critique.undecidable
-- title: What the README says that nothing here can decide: a quoted conclusion, what a run costs, who judges.
-- documents: critique_readme, critique_now
-- section: Background, GPU requirements, FAQ Q2, FAQ Q4, Summary
-- evidence: untestable
-- needs:
-- version: 2
-- reading: The accusation's conclusion, as the README quotes it: no norm can settle it, for or against. Time, memory
--   and hardware of a run are those of the authors' computer, network and program. That the judgement is left to
--   the readers is said at the top and at the end; it is a position. Which comparison is fair is a judgement;
--   that the distances differ is a definition (printed.readme_patterns).
-- history: v2: the quoted conclusion, which baseline is fair, and that no GPU is needed
with

said (item, statement) as (
    values
    ('critique.readme.bg.derived', 'norm weights cannot settle where a model comes from'),
    ('critique.readme.runtime', 'depends on computer, network and program'),
    ('critique.readme.no_gpu', 'depends on computer and program'),
    ('critique.readme.different_distances_unfair', 'which comparison is fair is a judgement'),
    ('critique.readme.readers_judge', 'a position, which no figure confirms or denies')
)

select
    item,
    'plain' as reading,
    'not decided here: ' || statement as statement,
    null::boolean as holds,
    null::double as observed
from said
