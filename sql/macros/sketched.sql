-- one row per other model: how likely it is to share weight history with this one, by their sketches alone
--   identical  whether all norm values are the same
--   z_sketch   how many more bits agree than half of them, in standard deviations of what unrelated models have; NULL
--              where widths differ or no norm varies. It ranks: what is true of a pair, the lineage test says
-- example: from sketched('glm')
create macro sketched(to_model) as table
    with

    asked as (
        select norms_digest, width, bits, width * sketch_sums(width) as bits_used
        from files.sketches
        join models using (model)
        where model = to_model
    )

    select
        others.model,
        coalesce(models.norms_digest = asked.norms_digest, false) as identical,
        case
            when others.width = asked.width
                then (bits_used - 2 * hamming(others.bits, asked.bits)) / nullif(sqrt(bits_used), 0)
        end as z_sketch
    from files.sketches as others
    join models using (model), asked
    where others.model <> to_model
