-- one row per pair of sections with statements whose figures cannot both be true, and strength
-- which parts of which documents disagree
--
-- first_document: the one that comes first in the order of the documents; its section first likewise
-- figures: number of disagreements
-- document_figures: the same between the two documents
-- example: one of them, the one farthest apart
with

places (document, place) as (
    select key, row_number() over () from documents
),

-- who disagrees with whom has no direction
in_order as (
    select
        list_sort([
            {'place': a.place, 'document': first_document, 'section': first_section},
            {'place': b.place, 'document': second_document, 'section': second_section}
        ]) as sides,
        strength, gap,
        format('{} against {} ({})', first_figure, second_figure, metric) as example
    from _contradicting_pairs
    join places as a on a.document = first_document
    join places as b on b.document = second_document
),

by_section as (
    select
        sides, strength,
        count(*) as figures,
        any_value(example order by gap desc) as example
    from in_order
    group by all
)

select
    sides[1].document as first_document, sides[1].section as first_section,
    sides[2].document as second_document, sides[2].section as second_section,
    strength, figures,
    sum(figures) over (partition by sides[1].document, sides[2].document)::integer as document_figures,
    example
from by_section
order by sides, strength
