-- id: accusation.descent
-- title: Solar is derived from GLM-4.5-Air, its base model; the other explanations are rejected.
-- documents: accusation, accusation_first, accusation_report, accusation_output
-- section: lines 3-5, 35, 234, 247-256; report lines 13, 15, 29, 182-184, 239-241; definitive_proof.py lines 8,
--   103; first version, line 218
-- evidence: untestable
-- needs:
-- version: 2
-- reading: Conclusions about the history of a model, and how strong the evidence for them is. Nothing here can
--   settle them, as it cannot settle their counterpart, that Solar is not derived (hyunwoong.not_derived). What
--   they rest on are items of their own.
-- history: v2: the conclusion of the first version, half an hour older, is an item of its own
with

said (item, statement) as (
    values
    ('readme.title.derived', 'norm weights cannot settle where a model comes from'),
    ('readme.interp.layers_directly_derived', 'norm weights cannot settle where a model comes from'),
    ('readme.hyp.descent_adopted', 'norm weights cannot settle where a model comes from'),
    ('readme.conclusion.base_model', 'norm weights cannot settle where a model comes from'),
    ('report.verdict.derived', 'norm weights cannot settle where a model comes from'),
    ('report.core.continual_pretraining', 'norm weights cannot settle where a model comes from'),
    ('report.hyp.independent.verdict', 'norm weights cannot settle where a model comes from'),
    ('report.hyp.same_start.verdict', 'norm weights cannot settle where a model comes from'),
    ('report.hyp.descent.verdict', 'norm weights cannot settle where a model comes from'),
    ('first.conclusion_norms_only', 'norm weights cannot settle where a model comes from'),
    ('readme.title.decisive_182', 'how strong evidence is, is a judgement of its authors'),
    ('readme.final.star_ratings', 'how strong evidence is, is a judgement of its authors'),
    ('report.verdict.strength', 'how strong evidence is, is a judgement of its authors'),
    ('output.definitive.identical_bytes_prove', 'how strong evidence is, is a judgement of its authors')
)

select
    'accusation.' || item as item,
    'plain' as reading,
    'not decided here: ' || statement as statement,
    null::boolean as holds,
    null::double as observed
from said
order by item
