-- one row per model and kind of norm (weights, biases, each also detrended): how the model's own norms correlate, by
-- rank (the matrix R of `lineage_self_correlation`)
--   compared      the norms, from ranked.sql or detrended.sql
--   products      of every two norms of a model, centred (warehouse/features/structure.py)
--   norms         types and layers, in that order
--   correlations  of the first norm with itself, of the second with the first and itself, and so on. Never empty:
--                 DuckDB multiplies no lists that were read with an empty one. Rounded to 2^-30, which halves their
--                 bytes and changes no z by more than a billionth
--   leverage, repeated_share, and the same over_layers
--                 what the test's guards need (warehouse/features/structure.py)
with

-- of a detrended norm that has one value in either half nothing is left
correlated as (
    select
        model, kind, norm_a, norm_b,
        round(product / (sqrt(square_a) * sqrt(square_b)) * 2 ** 30) / 2 ** 30 as correlation
    from products
    where square_a > 0 and square_b > 0
),

gathered as (
    select model, kind, list(correlation order by norm_a, norm_b) as correlations
    from correlated
    group by model, kind
),

named as (
    select model, kind, list(concat(ln_type, ' ', layer) order by number) as norms
    from compared
    join correlated using (model, kind)
    where norm_a = number and norm_b = number
    group by model, kind
)

select model, kind, norms, correlations, leverage, leverage_over_layers, repeated_share, repeated_share_over_layers
from named
join gathered using (model, kind)
join structure using (model, kind)
order by model, kind
