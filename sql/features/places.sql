-- one row per model: its layers, and whether its dimensions can be exchanged, as the lineage test assumes
--   structure   one row per model and kind (warehouse/features/structure.py says what each column is)
--   position_z  the largest of weights and biases; so are period_z, echo_z and repeated_dims
with

described as (
    select
        model,
        count(distinct concat(stack, ' ', layer)) filter (layer >= 0) as depth,
        coalesce(
            string_agg(distinct concat(stack, ' ', layer), ',' order by concat(stack, ' ', layer)) filter (
                layer >= 0
            ),
            ''
        ) as layers
    from lineage_norms
    where kind = 'weights'
    group by model
),

measured as (
    select
        model,
        max(position_z) as position_z,
        max(period_z) as period_z,
        max(echo_z) as echo_z,
        max(repeated_dims) as repeated_dims
    from structure
    group by model
)

select model, depth, layers, position_z, period_z, echo_z, coalesce(repeated_dims, 0) as repeated_dims
from described
left join measured using (model)
