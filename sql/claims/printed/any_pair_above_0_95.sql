-- id: printed.any_pair_above_0_95
-- title: Any two models have a high raw cosine, if high means the 0.95 of the sentence before.
-- documents: sionic_ko, sionic_en, critique_results
-- section: Conclusion, E.3, Experiment 3, Experiment 4
-- evidence: printed
-- needs:
-- version: 1
-- reading: The conclusion says that values from 0.95 up come from the common mean, then that any pair of models
--   shows a high value. "High" is read as that 0.95; a reader who takes it more loosely will not see a
--   contradiction. Said of any pair, so every cosine between two models that the documents print must reach
--   it: the pairs of E.2 and E.3, the six pairs of experiment 3, the layer means of experiment 4 (a mean below 0.95
--   has a pair below it). The bound is 0.95 itself; a rounded cosine counts with its half digit on its side.
--   Layer 0, which the critique puts near 0.15, is left to printed.layer_0_cosines. Observed is the cosine.
with

bound as (
    select max(low) as bound
    from printed
    where item = 'sionic.conclusion.any_pair_high_cosine'
),

cosines as (
    select item, max(value) as cosine, max(half_digit) as half_digit
    from printed
    where
        metric = 'cosine'
        and relation = '='
        and (
            section in ('E.2', 'E.3')
            or section = 'Experiment 3' and aggregate is null
            or section = 'Experiment 4' and scope = 'moe_pairs' and aggregate = 'mean'
        )
    group by item
)

select
    'printed.any_pair_above_0_95.' || item as item,
    'at least ' || bound as statement,
    cosine + half_digit >= bound as holds,
    cosine as observed
from cosines
cross join bound
order by item
