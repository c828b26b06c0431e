-- one row per item and measurement that others published, from the released weights, of what the item prints
-- what is known today, and from whom; it changes no verdict, which only an ingest from the hub does
--
-- item: the item of a document whose figure was measured
-- figure: as the document writes it
-- source: who measured it: a key of `documents`
-- place: the file of theirs that has it
-- measured: the value; of what is said of each layer, the lowest and the highest published one
-- agrees: whether it is within what the printed figure can stand for, and a whole digit if that is about so much
with

figures as (
    select * from printed_intervals
),

kinds as (
    select key, kind from documents
),

-- a whole digit, as in `contradictions`
said as (
    select figures.*, case when figures.is_approximate then figures.half_digit else 0 end as leeway
    from figures
    join kinds on kinds.key = figures.document
    where kinds.kind = 'document'
),

measured as (
    select figures.*, (figures.bottom + figures.top) / 2 as value
    from figures
    join kinds on kinds.key = figures.document
    where kinds.kind = 'measurement'
),

-- without a word about layers, a figure is taken as the mean over those that both models have
of_the_same as (
    select
        said.item, said.figure, said.ln_type, said.model_a, said.model_b, said.aggregate,
        said.bottom - said.leeway as least, said.top + said.leeway as most,
        measured.document as source, measured.section as place, measured.value, measured.bottom, measured.top
    from said
    join measured
        on
            said.metric = measured.metric
            and (said.model_a, said.model_b, said.ln_type)
            is not distinct from (measured.model_a, measured.model_b, measured.ln_type)
            and case
                when said.scope = 'overall' and said.aggregate is null
                    then measured.scope = 'matched_layers' and measured.aggregate = 'mean'
                when said.aggregate = 'each' and said.model_b is null
                    then said.scope = 'all_layers' and measured.layer_a is not null
                when said.aggregate = 'each'
                    then
                        said.scope in ('matched_layers', 'all_pairs')
                        and (
                            measured.layer_a = measured.layer_b
                            or measured.scope = 'matched_layers' and measured.aggregate in ('min', 'max')
                        )
                else
                    (said.layer_a, said.layer_b, said.scope, said.aggregate)
                    is not distinct from (measured.layer_a, measured.layer_b, measured.scope, measured.aggregate)
            end
),

with_extremes as (
    select
        *,
        (aggregate is distinct from 'each') or value in (min(value) over same, max(value) over same) as is_told
    from of_the_same
    window same as (partition by item, figure, ln_type, model_a, model_b, source)
)

select distinct
    item, figure, source, place, value as measured, top >= least and bottom <= most as agrees
from with_extremes
where is_told
order by item, source, measured
