-- id: printed.environment
-- title: RESULTS.md measures the weights of the input norm, by cosine similarity.
-- documents: critique_results
-- section: Environment
-- evidence: printed
-- needs:
-- version: 2
-- reading: The document says what it measures, and neither "all" nor "only": experiment 6 adds Pearson and L2, and
--   says so. The norm of every figure is known from this sentence, so it cannot fail: a definition. Observed is
--   the number of experiments with cosines of input norms.
-- history: v2: what is measured, without the "every" that the document does not say

select
    'critique.env.input_layernorm_only' as item,
    'plain' as reading,
    'experiments of the document compare input norms by cosine' as statement,
    count(distinct section) > 0 as holds,
    count(distinct section) as observed
from printed
where
    document = 'critique_results'
    and section like 'Experiment %'
    and metric = 'cosine'
    and ln_type = 'input_layernorm'
