-- id: cho.rules_of_scripts
-- title: Rules and words of the scripts: thresholds of 0.3 and 0.4 for Pearson, and what the cosine can tell.
-- documents: cho_scripts
-- section: demo_cosine_artifact.py, definitive_proof.py, probe_layer_decay.py, probe_final.py
-- evidence: untestable
-- needs:
-- version: 1
-- reading: Rules by which the scripts word their output, in their comments and summaries. A threshold is a
--   choice: the pairs of known ancestry that ship (real_models) have related small models on both sides of it.
--   What the scripts printed of the released weights is beside the figures of the README.
with

said (item, statement) as (
    values
    ('training_adds_noise', 'finished weights do not show what training added'),
    ('cannot_trust_cosine', 'which metric can be trusted is a judgement'),
    ('pearson_right', 'which metric is right is a judgement'),
    ('threshold_0_4', 'a rule of a script; known pairs are in real_models'),
    ('threshold_0_3', 'a rule of a script; known pairs are in real_models'),
    ('minus_one_less_robust', 'which metric is robust is a judgement'),
    ('both_high_uninformative', 'which figure is informative is a judgement'),
    ('printed_verdict', 'the wording that a script chooses by its rule')
)

select
    'cho.script.' || item as item,
    'plain' as reading,
    'not decided here: ' || statement as statement,
    null::boolean as holds,
    null::double as observed
from said
