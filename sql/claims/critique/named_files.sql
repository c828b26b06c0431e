-- id: critique.named_files
-- title: The README's run section names two scripts and two images; the file tree below it lists the files.
-- documents: critique_readme
-- section: Run, File tree
-- evidence: printed
-- needs:
-- version: 1
-- reading: The run section names compare_baselines.py, compare_multiple_models.py and one image that each
--   writes, baseline_comparison.png and multi_model_comparison.png. Each is looked up in the tree that the
--   same README prints, whose folder results/ is said to appear after a run; the tree has the first script
--   alone. A tree may be older than the text, or shortened: nothing is said about what the repository holds.
--   Expected is the number of files named, observed how many of them the tree has.
with

counts as (
    select
        max(value) filter (scope = 'files_of_run_section') as named,
        max(value) filter (scope = 'files_of_run_section_in_tree') as in_tree
    from printed
    where item = 'critique.readme.run_files'
)

select
    'critique.readme.run_files' as item,
    'plain' as reading,
    named as expected,
    0 as tolerance,
    in_tree as observed
from counts
