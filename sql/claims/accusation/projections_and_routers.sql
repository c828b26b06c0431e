-- id: accusation.projections_and_routers
-- title: Key and value projections, and routers, have cosines of about 0.
-- documents: accusation, accusation_report
-- section: lines 47-49, 232; report lines 57-58, 232
-- evidence: slices
-- needs:
-- version: 1
-- reading: The figures are means of absolute cosines over all layers, of samples of three windows of each matrix;
--   chance gives 0.0009 for as many values. A lake may have key and value projections of some layers (ingest with
--   --projections) but not these samples, and it has no routers. The published output of the scripts is beside the
--   figures. A common start would show in matrices of models that have one, which do not ship.
with

said (item, statement) as (
    values
    ('readme.types.k_proj_0_001', 'the sampled values of k_proj and v_proj are not in a lake'),
    ('readme.types.v_proj_0_001', 'the sampled values of k_proj and v_proj are not in a lake'),
    ('report.types.kv_0_001', 'the sampled values of k_proj and v_proj are not in a lake'),
    ('report.summary.attention_0', 'the sampled values of k_proj and v_proj are not in a lake'),
    ('readme.types.router_0_004', 'routers are not in a lake'),
    ('report.types.router_0_004', 'routers are not in a lake'),
    ('readme.hyp.same_initialisation_rejected', 'needs matrices of models of one start')
)

select
    'accusation.' || item as item,
    'plain' as reading,
    'not decided here: ' || statement as statement,
    null::boolean as holds,
    null::double as observed
from said
order by item
