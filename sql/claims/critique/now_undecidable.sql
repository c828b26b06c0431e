-- id: critique.now_undecidable
-- title: Aims, methods, limits and words of the current README, none of which a figure decides.
-- documents: critique_now
-- section: Update, Purpose, Design, Models, Method, Run, Guide, Notes, Figures, Limits, Citation
-- evidence: untestable
-- needs:
-- version: 1
-- reading: What the page says of itself: what its experiments are for, how they are run, and what they leave
--   out, descent above all. The statements that it shares with the older README are items of that one.
with

said (item, statement) as (
    values
    ('update.original_gone', 'the state of a repository on a day'),
    ('aim.additional_experiment', 'an aim'),
    ('points.layer0_direct', 'a cause, which norms do not show'),
    ('points.third_models', 'an aim'),
    ('design.exp1', 'an aim'),
    ('design.exp2', 'an aim'),
    ('design.exp3', 'an aim; who developed a model independently is not in its norms'),
    ('design.exp4', 'an aim'),
    ('design.exp5', 'an aim'),
    ('design.exp6_distinguishes', 'which metric tells what is a judgement'),
    ('models.many_use_4096', 'a word of degree'),
    ('models.all_public', 'the state of a hub'),
    ('method.fair_baseline', 'which baseline is fair is a judgement'),
    ('method.cross_pairs', 'which pairs are compared, a choice'),
    ('method.python_3_8', 'depends on the program'),
    ('method.one_script', 'scripts of others are not run here'),
    ('method.cache_size', 'the cache is made by a run'),
    ('guide.bands', 'words for sizes, said not to be absolute'),
    ('note.baseline_choice', 'a general remark'),
    ('note.controls', 'a general remark'),
    ('note.hidden_size_open', 'left to further research by the page itself'),
    ('figures.six', 'what images a page shows'),
    ('limits.can', 'an aim'),
    ('limits.descent_not_decided', 'what evidence suffices is a judgement'),
    ('limits.input_norm_only', 'what is left out'),
    ('limits.other_sizes', 'what is left out'),
    ('limits.no_causes', 'what is left out'),
    ('limits.future', 'a plan'),
    ('citation.two_repositories', 'a reference')
)

select
    'critique.now.' || item as item,
    'plain' as reading,
    'not decided here: ' || statement as statement,
    null::boolean as holds,
    null::double as observed
from said
