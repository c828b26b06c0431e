-- one row per item and measurement of the released weights that others published of the same quantity
-- what is known today, and from whom; it changes no verdict, which only an ingest from the hub does
--
-- item: the item of a document whose figure was measured
-- document: who prints that figure
-- figure: as the document writes it
-- source: who measured
-- measured: the value that they published
-- agrees: whether it is within what the printed figure can stand for, a whole digit when it is said to be about so much
with

intervals as (
    select * from printed_intervals
),

sources as (
    select key, kind from documents
),

said as (
    select intervals.*, (top - bottom) / 2 * is_approximate::integer as leeway
    from intervals
    inner join sources on intervals.document = sources.key
    where sources.kind = 'document'
),

measured as (
    select intervals.*, (bottom + top) / 2 as value
    from intervals
    inner join sources on intervals.document = sources.key
    where sources.kind = 'measurement'
)

select distinct
    said.item,
    said.document,
    said.figure,
    measured.document as source,
    measured.value as measured,
    measured.top >= said.bottom - said.leeway and measured.bottom <= said.top + said.leeway as agrees
from said
inner join measured
    on
        said.model_a is not distinct from measured.model_a
        and said.layer_a is not distinct from measured.layer_a
        and said.model_b is not distinct from measured.model_b
        and said.layer_b is not distinct from measured.layer_b
        and said.ln_type is not distinct from measured.ln_type
        and said.metric = measured.metric
        and said.scope is not distinct from measured.scope
        and said.aggregate is not distinct from measured.aggregate
