-- id: printed.exp4_consistent
-- title: The similarity of MoE models is consistent across layers.
-- documents: critique_readme
-- section: Visualisation
-- evidence: printed
-- needs:
-- version: 3
-- reading: A heading, "consistency of the likeness by layer", over the figure of experiment 4. It names what the
--   figure is about and asserts nothing, so that it is true by definition: the experiment has a mean for each
--   of its layers. How consistent they are: the largest distance of a layer mean from the overall mean is
--   observed. Layer 0 is not among the six layers.
-- history: v2: without the reading that asked for shares of the variance, which a title does not promise
-- history: v3: a heading is no assertion
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
    'experiment 4 has a mean for each of its layers' as statement,
    lowest is not null as holds,
    greatest(mean - lowest, highest - mean) as observed
from overall
cross join layer_means
