-- one row per model and part of its norms, weights or biases, rough ones apart: how the norms that enter the lineage
-- test resemble each other, by rank (the matrix R that `lineage_parts` asks of every model, computed once)
--   compared      the norms, from sql/packing/ranked.sql or rough.sql
--   norms         types and layers, in that order
--   correlations  of the first norm with itself, of the second with the first and itself, and so on (never empty:
--                 DuckDB multiplies no lists that were read with an empty one); rounded to 2^-30, which halves their
--                 bytes and moves no z by a part in a billion
with

norms as materialized (
    select model, part, ln_type, layer, vector, sqrt(inner_product(vector, vector)) as length
    from compared
),

multiplied as (
    select
        model, part,
        a.ln_type as type_a, a.layer as layer_a, b.ln_type as type_b, b.layer as layer_b,
        round(inner_product(a.vector, b.vector) / (a.length * b.length) * 2 ** 30) / 2 ** 30 as correlation
    from norms as a
    join norms as b using (model, part)
    where (b.ln_type, b.layer) <= (a.ln_type, a.layer)
),

gathered as (
    select model, part, list(correlation order by type_a, layer_a, type_b, layer_b) as correlations
    from multiplied
    group by model, part
),

named as (
    select model, part, list(concat(ln_type, ' ', layer) order by ln_type, layer) as norms
    from norms
    group by model, part
)

select model, part, norms, correlations
from named
join gathered using (model, part)
order by model, part
