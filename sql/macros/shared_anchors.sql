-- one row per anchor of which both models' embedding rows were read, in the shipped order, at most 512
-- fewer than 128 are too few to compare token profiles
-- example: select count(*) from shared_anchors('solar', 'glm')
create macro shared_anchors(one, other) as table
    with

    shared as (
        select anchors.position, anchors.anchor, a.row as row_a, b.row as row_b
        from anchors
        inner join slice_rows as a on anchors.anchor = a.anchor
        inner join slice_rows as b on anchors.anchor = b.anchor
        where a.matrix = 'embedding' and a.model = one and b.matrix = 'embedding' and b.model = other
    ),

    -- no row, but an error that names the model which is not there; without slices nothing else would ask
    refused as (
        select null as position, null as anchor, null as row_a, null as row_b
        where not known_models([one, other])
    )

    select position, anchor, row_a, row_b from shared
    union all
    select position, anchor, row_a, row_b from refused
    order by position
    limit 512
