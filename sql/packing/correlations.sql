-- one row per model and part of its norms, weights or biases, rough ones apart: how the norms that enter the lineage
-- test resemble each other, by rank (the matrix R that `lineage_parts` asks of every model, computed once)
--   compared      the norms, from sql/packing/ranked.sql or rough.sql
--   products      of the norms of a model two by two and by themselves, about their means (warehouse/features/pairwise.py)
--   norms         types and layers, in that order
--   correlations  of the first norm with itself, of the second with the first and itself, and so on (never empty:
--                 DuckDB multiplies no lists that were read with an empty one); rounded to 2^-30, which halves their
--                 bytes and moves no z by a part in a billion
with

-- of a rough norm that has one value in either half nothing is left
correlated as (
    select
        model, part, norm_a, norm_b,
        round(product / (sqrt(square_a) * sqrt(square_b)) * 2 ** 30) / 2 ** 30 as correlation
    from products
    where square_a > 0 and square_b > 0
),

gathered as (
    select model, part, list(correlation order by norm_a, norm_b) as correlations
    from correlated
    group by model, part
),

named as (
    select model, part, list(concat(ln_type, ' ', layer) order by number) as norms
    from compared
    join correlated using (model, part)
    where norm_a = number and norm_b = number
    group by model, part
)

select model, part, norms, correlations
from named
join gathered using (model, part)
order by model, part
