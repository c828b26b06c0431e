-- id: printed.accusation_method
-- title: How the accusation was made: method, files, and the rules by which two charts word their result.
-- documents: accusation, accusation_first, accusation_report, accusation_output
-- section: lines 156-181, 297-300; first version, lines 43-49, 232-234; report lines 3-5;
--   layer_decay_analysis.png, proof_analysis.png, summary_comparison.png
-- evidence: printed
-- needs:
-- version: 3
-- reading: What the authors say of their own texts and work is not judged by running it, as it is not of Cho and the
--   critique. The rules of two charts are definitions, and observed is the figure that each is applied to: a dominance
--   of the diagonal up to 0.01 is worded as weak or no evidence, a mean above 0.1 after subtracting 1 as moderate
--   evidence. That a chart shows absolute cosines is one, too; observed is the number of figures that the output has.
-- history: v2: what the first version compares and lists are items
-- history: v3: what is said of one's own method is untestable, as it is for the other parties
with

figures as (
    select
        count(*) filter (document = 'accusation_output') as of_output,
        max(value) filter (item like '%decay.dominance') as dominance,
        max(value) filter (item like '%final.minus_one_matched') as minus_one
    from printed
    where item like 'accusation.%'
),

checks (item, statement, holds, observed) as (
    select
        unnest([
            'readme.method.range_requests', 'readme.repro.basic_outputs', 'readme.repro.detailed_layers_0_45',
            'readme.repro.definitive_script', 'report.method.sampling'
        ]),
        'not decided here: scripts of others are not run here', null, null
    union all
    select
        unnest(['readme.presumed.heading', 'first.no_embeddings', 'first.scripts_listed']),
        'not decided here: what a page says of itself', null, null
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
