-- one row per pair of documents with statements whose figures cannot both be true, and strength
-- which documents disagree, with themselves and with each other
--
-- first_document: the one that comes first in the order of the documents
-- figures: number of disagreements
-- example: one of them, the one farthest apart
with

places as (
    select key as document, row_number() over () as place
    from documents
),

-- who disagrees with whom has no direction
in_order as (
    select
        list_sort([
            {'place': a.place, 'document': first_document},
            {'place': b.place, 'document': second_document}
        ]) as sides,
        strength, gap,
        format('{} against {} ({})', first_figure, second_figure, metric) as example
    from contradictions
    join places as a on a.document = first_document
    join places as b on b.document = second_document
)

select
    sides[1].document as first_document,
    sides[2].document as second_document,
    strength,
    count(*) as figures,
    any_value(example order by gap desc) as example
from in_order
group by sides, strength
order by sum(count(*)) over (partition by sides) desc, sides, strength desc
