-- one row per item and measurement that others published, from the released weights, of what the item prints
-- what is known today, and from whom; it changes no verdict, which only an ingest from the hub does
--
-- item: the item of a document whose figure was measured
-- figure: as the document writes it
-- source: who measured it: a key of `documents`
-- place: the file of theirs that has it
-- measured: the value; of what is said of each layer, the lowest and the highest published one
-- summary: of which layers it is: one, or the mean, std, lowest or highest of all
-- is_own: own output: the party whose statement this is measured it itself
-- agrees: whether it is within what the printed figure can stand for, rounded or cut off, or about so much
with

figures as (
    select printed_intervals.*, documents.kind, documents.repository, documents."group"
    from printed_intervals
    join documents on documents.key = printed_intervals.document
),

-- over how many layers a document takes its means, where it says so
layers_said as (
    select "group", model_a, model_b, max(bottom) as layers
    from figures
    where metric = 'layer_count' and scope = 'compared_layers'
    group by all
),

-- a whole digit, as in `contradictions`; away from 0 always, as a figure may be cut off instead of rounded
said as (
    select
        figures.*, layers_said.layers,
        bottom - case when is_approximate or top < 0 then half_digit else 0 end as least,
        top + case when is_approximate or bottom > 0 then half_digit else 0 end as most
    from figures
    left join layers_said using ("group", model_a, model_b)
    where kind = 'document'
),

published as (
    from _measured_summaries
    union all
    select
        document, section, model_a, layer_a, model_b, layer_b, ln_type, metric, scope, aggregate,
        case when scope = 'matched_layers' then 46 end, -- of Solar and GLM, as these files count them
        (bottom + top) / 2
    from figures
    where kind = 'measurement'
),

-- A cosine without a word about layers may be a mean or the best layer's. What is said of each layer is compared
-- with the lowest and the highest one, and with the mean if it is said to be about so much.
of_the_same as (
    select
        said.item, said.figure, said.ln_type, said.scope, said.aggregate, said.least, said.most, said.repository,
        published.source, published.place, published.value, coalesce(published.aggregate, 'one') as summary,
        -- single precision
        published.value between said.least - 1e-6 and said.most + 1e-6 as agrees
    from said
    join published
        on
            said.metric = published.metric
            and (said.model_a, said.model_b, said.ln_type)
            is not distinct from (published.model_a, published.model_b, published.ln_type)
    where case
        when said.scope = 'overall' and said.aggregate is null
            then
                published.scope = 'matched_layers'
                and (published.aggregate = 'mean' or published.aggregate = 'max' and said.metric = 'cosine')
        when said.aggregate = 'each' and said.layer_a is null
            then
                said.scope in ('all_layers', 'matched_layers', 'all_pairs')
                and published.scope in ('all_layers', 'matched_layers')
                and case
                    when said.is_approximate then published.aggregate = 'mean'
                    else published.aggregate in ('min', 'max')
                end
        else
            (said.layer_a, said.layer_b, said.scope, said.aggregate)
            is not distinct from (published.layer_a, published.layer_b, published.scope, published.aggregate)
            and coalesce(published.layers = said.layers, true)
    end
)

select distinct
    item, figure, source, place, value as measured,
    case summary when 'min' then 'lowest' when 'max' then 'highest' else summary end as summary,
    of_the_same.repository = documents.repository as is_own, agrees
from of_the_same
join documents on documents.key = of_the_same.source
qualify
    scope is distinct from 'overall'
    or row_number() over (
        partition by item, figure, ln_type, source order by agrees desc, summary = 'mean' desc, place
    ) = 1
order by item, source, measured
