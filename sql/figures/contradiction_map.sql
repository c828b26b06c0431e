-- one row per pair of sections that print figures which cannot both be true, and strength
-- which parts of which documents disagree
--
-- first: document and section, in the order of the documents; second likewise
-- figures: number of pairs of figures
-- document_figures: the same between the two documents
-- example: one of them, the one farthest apart
with

disagreements as (
    select
        first_document, first_section, second_document, second_section, strength, gap,
        format('{} against {} ({})', first_figure, second_figure, metric) as example
    from contradictions
),

by_section as (
    select
        first_document, first_section, second_document, second_section, strength,
        count(*) as figures,
        any_value(example order by gap desc) as example
    from disagreements
    group by all
)

select
    first_document, first_section, second_document, second_section, strength,
    first_document || ' · ' || first_section as first,
    second_document || ' · ' || second_section as second,
    figures,
    sum(figures) over (partition by first_document, second_document)::integer as document_figures,
    example
from by_section
order by first_document, first_section, second_document, second_section, strength
