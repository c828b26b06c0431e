-- id: printed.accusation_method
-- title: How the accusation was made: method, files, and the rules by which two charts word their result.
-- documents: accusation, accusation_first, accusation_report, accusation_output
-- section: lines 156-181, 297-300; first version, lines 43-49, 232-234; report lines 3-5;
--   layer_decay_analysis.png, proof_analysis.png, summary_comparison.png
-- evidence: printed
-- needs:
-- version: 2
-- reading: What the authors say of their own work, and cannot fail: definitions. Observed is the number of figures
--   that the documents print of it, and of a rule the figure that it is applied to: a dominance of the diagonal up
--   to 0.01 is worded as weak or no evidence, a mean above 0.1 after subtracting 1 as moderate evidence.
-- history: v2: what the first version compares and lists are items
with

figures as (
    select
        count(*) filter (document = 'accusation') as of_readme,
        count(*) filter (document = 'accusation_report') as of_report,
        count(*) filter (document = 'accusation_output') as of_output,
        count(*) filter (item like '%.within.%') as of_baseline,
        max(value) filter (item like '%decay.dominance') as dominance,
        max(value) filter (item like '%final.minus_one_matched') as minus_one
    from printed
    where item like 'accusation.%'
),

checks (item, statement, holds, observed) as (
    select
        unnest(['readme.method.range_requests', 'readme.repro.basic_outputs', 'readme.repro.detailed_layers_0_45']),
        'said of its own method', of_readme > 0, of_readme
    from figures
    union all
    select 'readme.repro.definitive_script', 'said of its own method', of_baseline > 0, of_baseline
    from figures
    union all
    select
        unnest(['readme.presumed.heading', 'first.no_embeddings', 'first.scripts_listed']),
        'said of its own text', of_readme > 0, of_readme
    from figures
    union all
    select 'report.method.sampling', 'said of its own method', of_report > 0, of_report
    from figures
    union all
    select 'output.types.absolute_cosine', 'said of its own chart', of_output > 0, of_output
    from figures
    union all
    select 'output.decay.printed_verdict', 'the difference is at most 0.01', dominance <= 0.01, dominance
    from figures
    union all
    select 'output.final.printed_verdict', 'the mean is above 0.1', minus_one > 0.1, minus_one
    from figures
)

select 'accusation.' || item as item, 'plain' as reading, statement, holds, observed
from checks
order by item
