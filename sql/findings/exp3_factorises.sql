-- id: findings.exp3_factorises
-- title: The six cosines of experiment 3 are products of one number per model, as they are if the means make them.
-- documents: critique_results
-- section: Experiment 3, 6 interpretation
-- evidence: printed
-- needs:
-- version: 3
-- reading: Exactly, cos = u_a·u_b + r·v_a·v_b with u = √d·mean/length and u² + v² = 1. The interpretation of
--   experiment 6 says that a high cosine with a low Pearson r comes from the mean; then the second term is
--   small and each cosine is u_a·u_b. Six cosines, four numbers: fitted by least squares on the logarithms,
--   which for all pairs of n models has the closed form log u_i = (row sum_i − total/(n − 1)) / (n − 2), where
--   the row sum is over the n − 1 pairs of model i and the total over all pairs. Holds when no cosine is
--   further than 0.0005 from its product: five units of the last digit, what Pearsons of a few hundredths
--   make of models whose v is 0.1 to 0.3. Observed is the largest distance.
-- history: v2: the fitted numbers are a view, printed_exp3_offsets, once for two claims
-- history: v3: a finding of ours, no longer a claim: the document does not say it
with

cosines as (
    select distinct model_a, model_b, value as cosine
    from printed
    where section = 'Experiment 3' and metric = 'cosine' and aggregate is null
),

fitted as (
    select model, u
    from printed_exp3_offsets
),

residuals as (
    select abs(cosines.cosine - a.u * b.u) as residual
    from cosines
    join fitted as a on a.model = cosines.model_a
    join fitted as b on b.model = cosines.model_b
)

select
    'six_pairs' as item,
    'plain' as reading,
    'every cosine is within 0.0005 of a product of two numbers, one per model' as statement,
    max(residual) <= 0.0005 and count(*) = 6 as holds,
    max(residual) as observed
from residuals
