-- id: printed.exp6_random
-- title: Whether models are more alike than random vectors is a question that experiment 6 asks.
-- documents: critique_results
-- section: 6 interpretation
-- evidence: printed
-- needs:
-- version: 2
-- reading: The document tells its readers to compare and leaves the answer open: nothing is said that could hold or
--   fail. Its own random vectors have one spread, 0.1; what the comparison gives with the models' own spreads is
--   findings.exp6_random, and for Pearson findings.honest_sigma.
-- history: v2: a question is not judged; the answers are findings

select
    'critique.exp6.compare_with_random' as item,
    'plain' as reading,
    'a question, which the document leaves open' as statement,
    null::boolean as holds,
    null::double as observed
