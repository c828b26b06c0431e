-- one row per two statements with figures of one quantity that cannot be one number, rounded or cut off
-- the pairs behind `contradictions`; what only follows by arithmetic is a finding
--
-- kind: same quantity; or part of a whole: the second figure is of a member of what the first says of each
-- strength: strict; or soft: one is approximate, of unnamed layers, counted, or older by one author
-- gap: distance between the two in `printed_intervals`; those that touch are no contradiction
with

-- over how many layers a document takes its means, where it says so
layers_said as (
    select "group", model_a, model_b, max(bottom) as layers
    from printed_intervals
    join documents on documents.key = document
    where metric = 'layer_count' and scope = 'compared_layers'
    group by all
),

-- numbered in the order of the documents, so that a pair has a first and a second figure; measurements are no party
figures as (
    select
        printed_intervals.* replace (
            -- cut off instead of rounded, it stands for a number farther from 0
            bottom - case when top < 0 and not is_approximate then half_digit else 0 end as bottom,
            top + case when bottom > 0 and not is_approximate then half_digit else 0 end as top
        ),
        "group", commit, case when aggregate in ('mean', 'std') then layers end as layers,
        list_position(['sionic_ko', 'sionic_en', 'hyunwoong', 'critique_results'], document) as place,
        row_number() over (
            order by
                place nulls last, section, item, model_a, layer_a, model_b, layer_b, ln_type,
                metric, scope, aggregate, bottom, top
        ) as n,
        -- an approximate figure may be off by a whole digit: "about 0.999" may mean 0.9999
        case when is_approximate then half_digit else 0 end as leeway
    from printed_intervals
    join documents on documents.key = document and documents.kind = 'document'
    left join layers_said using ("group", model_a, model_b)
    where not ends_with(section, '(image)')  -- images are not read, of any document
),

same_quantity as (
    select 'same quantity' as kind, a.n as first_n, b.n as second_n
    from figures as a
    join figures as b
        on
            (a.model_a, a.layer_a, a.model_b, a.layer_b, a.ln_type, a.metric, a.scope, a.aggregate)
            is not distinct from (b.model_a, b.layer_a, b.model_b, b.layer_b, b.ln_type, b.metric, b.scope, b.aggregate)
    -- how many layers somebody compares is a choice, and no two choices contradict each other
    where
        a.n < b.n and coalesce(a.layers = b.layers, true)
        and (a.scope is distinct from 'compared_layers' or a."group" = b."group")
),

-- a statement about each member of a scope also holds for its parts: their single figures, means and extremes
parts (whole, part) as (
    values
    ('matched_layers', 'matched_layers'), ('matched_layers', 'listed_rows'), ('matched_layers', 'best_layer'),
    ('all_pairs', 'matched_layers'), ('all_pairs', 'mismatched_pairs'), ('all_pairs', 'listed_rows'),
    ('all_pairs', 'best_layer'), ('all_layers', 'first_100_dims'), ('all_layers', 'all_layers')
),

part_of_whole as (
    select 'part of a whole' as kind, whole.n as first_n, part.n as second_n
    from figures as whole
    join figures as part using (model_a, ln_type, metric)
    left join parts on parts.whole = whole.scope and parts.part = part.scope
    where
        whole.aggregate = 'each' and whole.layer_a is null and part.aggregate is distinct from 'std'
        and whole.model_b is not distinct from part.model_b
        and (whole.scope, whole.aggregate) is distinct from (part.scope, part.aggregate)
        and (parts.part is not null or part.layer_a is not null and case whole.scope
            when 'matched_layers' then part.layer_a = part.layer_b and part.scope is null
            when 'all_pairs' then part.layer_b is not null and part.scope is null
            else whole.scope = 'all_layers' and part.model_b is null
        end)
)

select
    pair.kind,
    case
        when a.is_approximate or b.is_approximate or a.scope = 'overall' then 'soft'
        -- documents may or may not count a layer for multi-token prediction, and name number formats in passing
        when a.metric in ('layer_count', 'fraction_bits') then 'soft'
        when a.item = b.item or a."group" = b."group" and a.commit <> b.commit then 'soft'
        else 'strict'
    end as strength,
    round(greatest(a.bottom - b.top, b.bottom - a.top), 12) as gap,
    a.document as first_document, a.section as first_section, a.item as first_item, a.figure as first_figure,
    b.document as second_document, b.section as second_section, b.item as second_item, b.figure as second_figure,
    b.model_a, b.layer_a, b.model_b, b.layer_b, b.ln_type, b.metric, b.scope, b.aggregate
from (
    from same_quantity
    union all
    from part_of_whole
) as pair
join figures as a on a.n = pair.first_n
join figures as b on b.n = pair.second_n
where gap > round(a.leeway + b.leeway, 12)
-- once, in however many sections and languages the two are: within one document and in English if there is a choice
qualify
    row_number() over (
        partition by least(a.item, b.item), greatest(a.item, b.item)
        order by strength, a.document <> b.document, 'sionic_ko' in (a.document, b.document), a.n, b.n
    ) = 1
order by a.n, b.n
