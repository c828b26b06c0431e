-- one row per disagreement of the documents: a quantity for which they print figures that cannot all be true
--
-- about: the quantity in words
-- strength: strict if any two of its figures disagree whatever is rounded or approximate
-- figures: each figure with the places that print it
with

keyed as (
    select
        *,
        case
            when metric = 'layer_count' then 'number of layers of INTELLECT-3 and GLM-4.5-Air'
            when metric = 'count' then 'number of ' || replace(scope, '_', ' ')
            when metric = 'fraction_bits' then 'number format of the weights'
            else
                concat_ws(
                    ', ',
                    replace(concat_ws(' ', if(aggregate = metric, null, aggregate), metric), '_', ' '),
                    concat_ws(' ', model_a, 'layer ' || layer_a)
                    || coalesce(' with ' || nullif(concat_ws(' ', model_b, 'layer ' || layer_b), ''), ''),
                    replace(replace(ln_type, '_layernorm', ' norm'), '_', '-'),
                    case when layer_a is null then replace(scope, '_', ' ') end
                )
        end as about
    from contradictions
),

sides as (
    select
        about, strength,
        first_figure as figure, first_document as document, first_section as section, first_item as item
    from keyed
    union
    select about, strength, second_figure, second_document, second_section, second_item
    from keyed
),

by_figure as (
    select
        about, figure,
        bool_or(strength = 'strict') as is_strict,
        list(distinct {'document': document, 'section': section, 'item': item}) as places
    from sides
    group by about, figure
)

select
    about,
    if(bool_or(is_strict), 'strict', 'soft') as strength,
    list({'figure': figure, 'places': list_sort(places)} order by figure) as figures
from by_figure
group by about
order by strength desc, about
