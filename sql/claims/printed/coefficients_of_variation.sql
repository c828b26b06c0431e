-- id: printed.coefficients_of_variation
-- title: Solar, GLM and Phi have almost the same coefficient of variation at layer 10.
-- documents: hyunwoong, critique_results
-- section: 4.5, Experiment 3
-- evidence: printed
-- needs:
-- version: 1
-- reading: A matter of reading: "almost 0" is taken as below 0.05, so that it rounds to 0.0. The cosines of
--   experiment 3 factorise into one u a model (printed.exp3_factorises), and the coefficient of variation is
--   std / mean = √(1 − u²) / u. Input norms at layer 10; the fit leaves 0.0004 of each cosine unexplained,
--   which moves a coefficient by about 0.002. Observed is the difference.
with cosines as (
    select distinct model_a, model_b, value as cosine
    from printed
    where section = 'Experiment 3' and metric = 'cosine' and aggregate is null
),
both_orders as (
    select model_a as model, ln(cosine) as log_cosine from cosines
    union all
    select model_b as model, ln(cosine) as log_cosine from cosines
),
row_sums as (
    select
        model,
        sum(log_cosine) as row_sum,
        sum(sum(log_cosine)) over () / 2 as total,
        count(*) over () as models
    from both_orders
    group by model
),
fitted as (
    select
        model,
        exp((row_sum - total / (models - 1)) / (models - 2)) as u,
        sqrt(1 - u ** 2) / u as cv
    from row_sums
),
claimed as (
    select distinct item, model_a, model_b
    from printed
    where metric = 'cv_diff' and layer_a = 10 and ln_type = 'input_layernorm'
)

select
    'printed.coefficients_of_variation.' || claimed.model_a || '_' || claimed.model_b as item,
    'the coefficients differ by less than 0.05' as statement,
    abs(a.cv - b.cv) < 0.05 as holds,
    abs(a.cv - b.cv) as observed
from claimed
join fitted as a on a.model = claimed.model_a
join fitted as b on b.model = claimed.model_b
order by item
