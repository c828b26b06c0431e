-- id: findings.coefficients_of_variation
-- title: By the cosines of experiment 3, Solar, GLM and Phi differ in their coefficient of variation at layer 10.
-- documents: hyunwoong, critique_results
-- section: 4.5, Experiment 3
-- evidence: printed
-- needs:
-- version: 3
-- reading: An observation: section 4.5 calls the differences almost 0, and how small that is everyone may judge.
--   The cosines of experiment 3 factorise into one u per model (findings.exp3_factorises), and the coefficient
--   of variation is std / mean = √(1 − u²) / u. Input norms. The fit leaves 0.0004 of each cosine unexplained,
--   which moves a coefficient by about 0.002: a difference is one when it is above 0.004. Observed is the
--   difference.
-- history: v2: the fitted numbers are a view, printed_exp3_offsets, once for two claims
-- history: v3: a finding of ours, no longer a claim; no longer a threshold for "almost 0"
with

fitted as (
    select model, sqrt(1 - u ** 2) / u as cv
    from printed_exp3_offsets
),

compared as (
    select distinct model_a, model_b
    from printed
    where metric = 'cv_diff' and layer_a = 10 and ln_type = 'input_layernorm'
)

select
    compared.model_a || '_' || compared.model_b as item,
    'plain' as reading,
    'the coefficients differ by more than the fit leaves open' as statement,
    abs(a.cv - b.cv) > 0.004 as holds,
    abs(a.cv - b.cv) as observed
from compared
left join fitted as a on a.model = compared.model_a
left join fitted as b on b.model = compared.model_b
order by item
