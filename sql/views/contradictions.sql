-- one row per disagreement: a quantity with printed figures that cannot be one number, rounded or cut off
-- where the documents disagree with themselves and with each other; it does not say which is right
--
-- kind: same quantity; or part of a whole: the second figure is of a member of what the first says of each
-- strength: strict; or soft: one is approximate, of unnamed layers, counted, or older by one author
-- gap: distance between the two figures that are named, in `printed_intervals`
-- first_document: document of the first figure of the pair that is named, the strictest and widest one
-- first_section: its section
-- first_item: the statement it belongs to
-- first_figure: the figure, as the document writes it
-- second_document: document of the second figure
-- second_section: its section
-- second_item: the statement it belongs to
-- second_figure: the figure, as the document writes it; model_a to aggregate are what it is about
-- pairs: how many pairs of statements disagree about this quantity
-- places: all figures that take part, each with its document and section
with

pairs as (
    select
        *,
        -- a layer's own quantity; what is counted, and what is said without models, by its kind
        concat_ws(
            ' ', metric,
            case
                when metric in ('layer_count', 'fraction_bits') then ''
                when model_b is null or model_a = model_b and layer_a is null then coalesce(scope, '')
                else concat_ws(' ', model_a, layer_a, model_b, layer_b, ln_type, scope)
            end
        ) as quantity
    from _contradicting_pairs
),

named as (
    select quantity, document, section, figure
    from (
        select
            quantity,
            unnest([first_document, second_document]) as document,
            unnest([first_section, second_section]) as section,
            unnest([first_figure, second_figure]) as figure
        from pairs
    )
    group by all
),

listed as (
    select
        quantity,
        list(
            concat(documents.short, ' ', section, ': ', figure) order by documents.short, section, figure
        ) as places
    from named
    join documents on documents.key = named.document
    group by quantity
),

counted as (
    select *, count(*) over (partition by quantity) as pairs
    from pairs
    qualify row_number() over (partition by quantity order by strength desc, gap desc, first_item, second_item) = 1
)

select
    kind, strength, gap, first_document, first_section, first_item, first_figure, second_document, second_section,
    second_item, second_figure, model_a, layer_a, model_b, layer_b, ln_type, metric, scope, aggregate, pairs, places
from counted
join listed using (quantity)
order by strength desc, quantity
