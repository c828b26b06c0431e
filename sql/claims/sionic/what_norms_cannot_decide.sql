-- id: sionic.what_norms_cannot_decide
-- title: Norms alone cannot decide derivation; the earlier view is revised; better methods are named.
-- documents: sionic_ko, sionic_en
-- section: Summary, Introduction, 4, Conclusion, Scope and Future Work, B.2, E.1, E.2, E.3
-- evidence: printed
-- needs:
-- version: 1
-- reading: The document's own conclusion and what it says beyond its measurements. Nothing here can decide
--   these: what evidence suffices is a judgement, how a model was made is not in its norms, and neither HuRef
--   nor REEF is run here. The answer says for each why.
with

said as (
    select
        unnest([
            'sionic.summary.norms_alone_cannot_decide',
            'sionic.intro.revises_earlier_view',
            'sionic.e1.independently_developed.solar',
            'sionic.e1.independently_developed.glm',
            'sionic.e1.independently_developed.phi',
            'sionic.summary.huref_uses_directions',
            'sionic.summary.reef_uses_representations',
            'sionic.summary.fingerprints_more_robust'
        ]) as item,
        unnest([
            'not decided here: what evidence suffices for a derivation is a judgement, not a figure',
            'not decided here: the authors speak of their own view',
            'not decided here: the norms do not tell how a model was developed',
            'not decided here: the norms do not tell how a model was developed',
            'not decided here: the norms do not tell how a model was developed',
            'not decided here: HuRef reads whole weight matrices, which are not kept',
            'not decided here: REEF reads activations, and no model is run',
            'not decided here: neither method is run'
        ]) as statement
)

select
    item,
    'plain' as reading,
    statement,
    null::boolean as holds,
    null::double as observed
from said
