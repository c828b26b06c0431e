-- id: findings.exp6_random
-- title: Against random vectors of the models' own spread, no cosine of experiment 3 stands out.
-- documents: critique_results
-- section: Experiment 3, 6 interpretation, 6-1
-- evidence: printed
-- needs:
-- version: 2
-- reading: The document asks whether models are more alike than random vectors and leaves the answer open. Its
--   random vectors have mean 1 and standard deviation 0.1 (mean cosine 0.9901); the coefficients of variation
--   that the six layer-10 cosines imply run from 0.09 to 0.31 (printed_exp3_offsets). Random vectors of
--   coefficient c have a mean cosine of 1 / (1 + c²) = u², so over that range the baseline runs from 0.91 to 0.99,
--   and all six cosines lie between its ends. What the Pearsons say is findings.honest_sigma. Observed is the
--   baseline at either end.
-- history: v2: a finding of ours, no longer a claim; baselines over the models' own spreads instead of 0.1 alone,
--   Pearsons are left to findings.honest_sigma
with

baselines as (
    select min(u) ** 2 as widest, max(u) ** 2 as narrowest
    from printed_exp3_offsets
),

cosines as (
    select min(value) as lowest, max(value) as highest
    from printed
    where section = 'Experiment 3' and metric = 'cosine' and aggregate is null
)

select
    unnest(['widest_spread', 'narrowest_spread']) as item,
    'plain' as reading,
    unnest([
        'random vectors of the widest spread are less alike than any two models',
        'random vectors of the narrowest spread are more alike than any two models'
    ]) as statement,
    unnest([widest < lowest, narrowest > highest]) as holds,
    unnest([widest, narrowest]) as observed
from baselines
cross join cosines
