-- one row per pair of documents with statements whose figures cannot both be true, and strength
-- which documents disagree, with themselves and with each other
--
-- documents: the two in their order, or the one, by their short names
-- figures: number of disagreements
-- example: one of them, the one farthest apart
with

places as (
    select key, short, row_number() over () as place
    from documents
),

-- who disagrees with whom has no direction
in_order as (
    select
        list_sort([
            {'place': a.place, 'short': a.short},
            {'place': b.place, 'short': b.short}
        ]) as sides,
        if(strength = 'soft', 'approximate', strength) as strength,
        gap,
        format('{} against {} ({})', first_figure, second_figure, metric) as example
    from contradictions
    join places as a on a.key = first_document
    join places as b on b.key = second_document
)

select
    if(sides[1] = sides[2], 'within ' || sides[1].short, sides[1].short || ' and ' || sides[2].short) as documents,
    strength,
    count(*) as figures,
    any_value(example order by gap desc) as example
from in_order
group by sides, strength
order by sum(count(*)) over (partition by sides) desc, sides, strength desc
