-- id: hyunwoong.undecidable
-- title: What hyunwoong says that nothing here can decide: causes, suitable metrics, and how much is enough.
-- documents: hyunwoong
-- section: 1, 1 discussion 1, 2 discussion 2, 4.4, 5
-- evidence: untestable
-- needs:
-- version: 1
-- reading: Summaries of others, conjectures about causes and words of degree, none of which a figure decides. The
--   original argument is judged where it is made. The input of a layer's second norm is the residual stream,
--   to which attention adds; how far that is "normalised" is a matter of the program, which is not run here.
with

said (item, statement) as (
    values
    ('hyunwoong.s1.original_argument', 'a summary of the accusation, whose own statements are judged'),
    ('hyunwoong.s1.post_norm_has_normalised_input', 'a norm does not tell what its input is'),
    ('hyunwoong.s2.cosine_unsuitable', 'which metric is suitable is a judgement'),
    ('hyunwoong.s4_4.solar_phi_far_in_scale', 'a word of degree; the figures are in relative_distance'),
    ('hyunwoong.s4_4.kv_scales_differ', 'an interpretation; the figures are judged in hyunwoong.projections'),
    ('hyunwoong.s5.quite_diverse_models', 'how diverse is enough is a judgement')
)

select
    item,
    'plain' as reading,
    'not decided here: ' || statement as statement,
    null::boolean as holds,
    null::double as observed
from said
