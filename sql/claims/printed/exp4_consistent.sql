-- id: printed.exp4_consistent
-- title: The similarity of MoE models is consistent across layers.
-- documents: critique_readme
-- section: Visualisation
-- evidence: printed
-- needs:
-- version: 2
-- reading: The title of the figure of experiment 4. Read as: no layer mean is as far as 0.05 from the overall
--   mean. Layer 0 is not among the six layers. Observed is the largest distance.
-- history: v2: without the reading that asked for shares of the variance, which a title does not promise
with

layer_means as (
    select min(value) as lowest, max(value) as highest
    from printed
    where section = 'Experiment 4' and scope = 'moe_pairs' and aggregate = 'mean'
),

overall as (
    select max(value) as mean
    from printed
    where section = 'Experiment 4' and item = 'critique.exp4.overall_mean'
)

select
    'critique.readme.exp4_consistent' as item,
    'plain' as reading,
    'no layer mean is as far as 0.05 from the overall mean' as statement,
    greatest(mean - lowest, highest - mean) < 0.05 as holds,
    greatest(mean - lowest, highest - mean) as observed
from overall
cross join layer_means
