-- one row per quantity of which the documents print figures that cannot be one number rounded or cut off, strict first
--
-- about: the quantity in words
-- places: all figures that take part, each with its document and section
select
    case
        when metric = 'layer_count' then 'number of layers of ' || model_a
        when metric = 'count' then 'number of ' || replace(replace(scope, '_', ' '), 'moe', 'MoE')
        when metric = 'fraction_bits' then 'number format of the weights'
        else
            concat_ws(
                ', ',
                replace(
                    replace(
                        replace(concat_ws(' ', if(aggregate = metric, null, aggregate), metric), '_', ' '),
                        'pearson', 'Pearson'
                    ),
                    'std Pearson', 'standard deviation of Pearson'
                ),
                concat_ws(' ', model_a, 'layer ' || layer_a)
                || coalesce(' with ' || nullif(concat_ws(' ', model_b, 'layer ' || layer_b), ''), ''),
                replace(replace(ln_type, '_layernorm', ' norm'), '_', '-'),
                case scope
                    when 'overall' then 'no layers named'
                    when 'matched_layers' then 'equal layers'
                    when 'adjacent_layers' then 'layers ten apart'
                    else case when layer_a is null then replace(scope, '_', ' ') end
                end
            )
    end as about,
    strength,
    first_figure, first_document, first_section, first_item,
    second_figure, second_document, second_section, second_item,
    places
from contradictions
order by strength desc, metric, aggregate nulls first, model_a, model_b, layer_a, layer_b, about
