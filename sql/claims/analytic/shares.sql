-- id: analytic.shares
-- title: Norm weights are less than 0.0002 % of a model, one vector less than 0.00001 %.
-- documents: sionic_ko, sionic_en, critique_readme
-- section: Scope, Technical details
-- evidence: analytic
-- needs:
-- version: 2
-- reading: Sionic: 47 layers of 4096 weights against 100B parameters, one norm per layer, as its sentence counts
--   them. Critique: the bytes of one vector (4096 values of two bytes) against the 100 GB it gives a model.
--   Observed is the share as a fraction.
-- history: v2: one norm per layer, as the sentence counts; a reading that counted both is gone
with

figures as (
    select
        max(value) filter (item = 'sionic.scope.parameter_count_190k' and metric = 'dimension_count') as width,
        max(value) filter (item = 'sionic.scope.parameter_count_190k' and metric = 'layer_count') as layers,
        max(value) filter (item = 'sionic.scope.share_below_0_0002_percent') as parameters,
        max(high) filter (item = 'sionic.scope.share_below_0_0002_percent') as norms_below,
        max(value) filter (item = 'critique.readme.ln_size_8kb' and metric = 'dimension_count') as vector_width,
        max(value) filter (item = 'critique.readme.ln_size_8kb' and metric = 'bytes_per_value') as value_bytes,
        max(value) filter (item = 'critique.readme.model_100gb') as model_bytes,
        max(high) filter (item = 'critique.readme.share_below_0_00001_percent') as vector_below
    from printed
),

shares as (
    select
        layers * width / parameters as one_norm,
        vector_width * value_bytes / model_bytes as one_vector,
        norms_below,
        vector_below
    from figures
)

select
    unnest(['sionic.scope.share_below_0_0002_percent', 'critique.readme.share_below_0_00001_percent']) as item,
    'plain' as reading,
    unnest(['one norm of 47 layers is below the printed share', 'one vector is below the printed share']) as statement,
    unnest([one_norm < norms_below, one_vector < vector_below]) as holds,
    unnest([one_norm, one_vector]) as observed
from shares
