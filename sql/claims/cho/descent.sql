-- id: cho.descent
-- title: No evidence of derivation: independent models, or completely retrained; what was expected.
-- documents: cho
-- section: Final Conclusion, Verdict, The Mathematical Proof, Corrected Analysis Results, 1, 2, Methodology, Summary
-- evidence: untestable
-- needs:
-- version: 2
-- reading: Conclusions about the history of a model. Nothing here can settle them, as it cannot settle their
--   counterpart, that Solar is derived (accusation.descent). What they rest on are items of their own. How
--   norms begin and which expectation is right of a model pretrained further would need the training of such
--   models, and what a script does is not judged by running it.
-- history: v2: says why models trained here do not decide what further pretraining does with depth
with

said (item, statement) as (
    values
    ('conclusion.no_evidence', 'norm weights cannot settle where a model comes from'),
    ('verdict.independent_or_retrained', 'norm weights cannot settle where a model comes from'),
    ('summary.zero_statistical_evidence', 'norm weights cannot settle where a model comes from'),
    ('summary.false_positive', 'norm weights cannot settle where a model comes from'),
    ('norms.statistically_independent', 'norms are compared here, not all weights'),
    ('norms.due_to_initialisation', 'what caused a weight is not in the weight'),
    ('proof.init_mean_1', 'finished weights do not show where training began'),
    ('proof.called_mathematical', 'what an argument is called; proof.mean_dominates is judged'),
    ('method.demo_is_proof', 'what an argument is called; proof.mean_dominates is judged'),
    ('metric.gold_standard', 'which metric is the standard is a judgement'),
    ('decay.expect_early_high', 'models pretrained further here have six layers, too few to tell'),
    ('decay.expect_decline', 'models pretrained further here have six layers, too few to tell'),
    ('method.main_script', 'scripts of others are not run here'),
    ('method.decay_script', 'scripts of others are not run here'),
    ('method.random_control', 'scripts of others are not run here'),
    ('method.checker_warns', 'scripts of others are not run here'),
    ('summary.llama_style', 'a word for architectures')
)

select
    'cho.' || item as item,
    'plain' as reading,
    'not decided here: ' || statement as statement,
    null::boolean as holds,
    null::double as observed
from said
