-- id: printed.fp32_practice
-- title: Practice often forces LayerNorm into FP32.
-- documents: sionic_ko, sionic_en
-- section: Scale
-- evidence: printed
-- needs:
-- version: 2
-- reading: How often a practice is recommended, no figure and no weights decide. That small changes of large weights
--   are lost in 16 bits, its reason, is analytic.swamping.
-- history: v2: undecided: the reason of a practice does not show the practice

select
    'sionic.scale.fp32_practice' as item,
    'plain' as reading,
    'how common a practice is, no figure here decides' as statement,
    null::boolean as holds,
    null::double as observed
