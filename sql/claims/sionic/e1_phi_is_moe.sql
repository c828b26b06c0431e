-- id: sionic.e1_phi_is_moe
-- title: Phi is a mixture of experts.
-- documents: sionic_ko, sionic_en
-- section: 4, E.1
-- evidence: weights
-- needs: phi
-- version: 2
-- history: v2: names the reading
-- reading: Expert matrices are not ingested; the architecture that config.json names is. It must contain
--   "moe" in any case. Observed is 1 if it does and 0 if not.
with

phi as (
    select max(architecture) as architecture
    from models
    where model = 'phi'
)

select
    'sionic.e1.phi_is_moe' as item,
    'plain' as reading,
    'the architecture in config.json is one of a mixture of experts' as statement,
    architecture ilike '%moe%' as holds,
    (architecture ilike '%moe%')::integer as observed
from phi
