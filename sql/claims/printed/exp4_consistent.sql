-- id: printed.exp4_consistent
-- title: The similarity of MoE models is consistent across layers.
-- documents: critique_readme
-- section: Visualisation
-- evidence: printed
-- needs:
-- version: 1
-- reading: The title of the figure of experiment 4. Read as: no layer mean is as far as 0.05 from the overall
--   mean. A second, harder reading asks that the layer matters less than the pair, that is, explains less
--   than half of the variance of the 36 cosines: (std of the layer means / overall std)². Layer 0 is not
--   among the six layers.
with

layer_means as (
    select min(value) as lowest, max(value) as highest
    from printed
    where section = 'Experiment 4' and scope = 'moe_pairs' and aggregate = 'mean'
),

overall as (
    select
        max(value) filter (item = 'critique.exp4.overall_mean') as mean,
        max(value) filter (item = 'critique.exp4.overall_std') as std,
        max(value) filter (item = 'critique.exp4.std_of_layer_means') as std_of_means
    from printed
    where section = 'Experiment 4'
)

select
    'critique.readme.exp4_consistent' as item,
    'no layer mean is as far as 0.05 from the overall mean' as statement,
    greatest(mean - lowest, highest - mean) < 0.05 as holds,
    greatest(mean - lowest, highest - mean) as observed
from overall
cross join layer_means
union all
select
    'critique.readme.exp4_consistent@variance' as item,
    'the layer explains less than half of the variance' as statement,
    (std_of_means / std) ** 2 < 0.5 as holds,
    (std_of_means / std) ** 2 as observed
from overall
order by item
