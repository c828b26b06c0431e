-- id: printed.environment
-- title: All measurements use the input norm and cosine similarity.
-- documents: critique_results
-- section: Environment
-- evidence: printed
-- needs:
-- version: 1
-- reading: Every figure that RESULTS.md prints for two vectors of models, experiments 1 to 6, must be a cosine
--   of input norms. Experiment 6 also prints Pearson and L2, so as written it does not hold; the norm alone
--   does. Observed is the number of figures that break the rule.
with

measurements as (
    select distinct item, metric, ln_type
    from printed
    where
        document = 'critique_results'
        and metric in ('cosine', 'pearson', 'l2_distance')
        and scope is distinct from 'random_vectors'
)

select
    'critique.env.input_layernorm_only' as item,
    'every measurement is a cosine of input norms' as statement,
    count_if(metric <> 'cosine' or ln_type <> 'input_layernorm') = 0 as holds,
    count_if(metric <> 'cosine' or ln_type <> 'input_layernorm') as observed
from measurements
union all
select
    'critique.env.input_layernorm_only@norm' as item,
    'every measurement is of input norms' as statement,
    count_if(ln_type <> 'input_layernorm') = 0 as holds,
    count_if(ln_type <> 'input_layernorm') as observed
from measurements
order by item
