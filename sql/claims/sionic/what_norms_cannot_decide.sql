-- id: sionic.what_norms_cannot_decide
-- title: Norms alone cannot decide derivation; the earlier view is revised; better methods are named.
-- documents: sionic_ko, sionic_en
-- section: Scale, Summary, Introduction, 3, 4, Conclusion, Scope and Future Work, References, A.3, B.2, D.1, E
-- evidence: untestable
-- needs:
-- version: 3
-- reading: The document's own conclusion and what it says beyond its measurements. Nothing here can decide
--   these: what evidence suffices is a judgement, how a model was made is not in its norms, and neither HuRef
--   nor REEF is run here. The answer says for each why.
-- history: v2: nine statements more, among them that one pair is the only derived one
-- history: v3: what section 4 concludes in Korean and in English, which differ
with

said (item, statement) as (
    values
    ('sionic.summary.norms_alone_cannot_decide', 'what evidence suffices for a derivation is a judgement'),
    ('sionic.s4.ko_cannot_decide', 'what evidence suffices for a derivation is a judgement'),
    ('sionic.s4.en_cannot_confirm', 'what evidence suffices for a derivation is a judgement'),
    ('sionic.intro.revises_earlier_view', 'the authors speak of their own view'),
    ('sionic.e1.independently_developed.solar', 'the norms do not tell how a model was developed'),
    ('sionic.e1.independently_developed.glm', 'the norms do not tell how a model was developed'),
    ('sionic.e1.independently_developed.phi', 'the norms do not tell how a model was developed'),
    ('sionic.summary.huref_uses_directions', 'HuRef reads whole weight matrices, which are not kept'),
    ('sionic.summary.reef_uses_representations', 'REEF reads activations, and no model is run'),
    ('sionic.summary.fingerprints_more_robust', 'neither method is run'),
    ('sionic.fig5.only_derived_pair', 'norms do not show descent'),
    ('sionic.s3.frozen_norms_no_evidence', 'what evidence suffices for a derivation is a judgement'),
    ('sionic.fig3_1.early_change_typical_of_sft', 'no other fine-tuned pair with a known recipe is stored to compare'),
    ('sionic.scale.imbalance_grows_with_depth', 'no gradient is computed here'),
    ('sionic.scale.fp32_answers_scale', 'why a practice is recommended is not in the weights'),
    ('sionic.a3.pearson_robust', 'robust is a word; invariances of Pearson are judged in analytic.invariance'),
    ('sionic.d1.difference_is_fingerprint', 'what a difference of two norms stands for is an interpretation'),
    ('sionic.e2.relations_unclear', 'the relation labels are the authors'' assessment'),
    ('sionic.references.independent_verification', 'who verified what independently of whom is not in a figure')
)

select
    item,
    'plain' as reading,
    'not decided here: ' || statement as statement,
    null::boolean as holds,
    null::double as observed
from said
