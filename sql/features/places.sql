-- one row per model: its layers, and whether its dimensions have a place
-- The null of the lineage test needs dimensions that could stand in any order. A fixed table of sines and cosines, for
-- one, gives each a frequency; then a model's norms follow themselves when shifted by one dimension (the next
-- frequency) or by half of them (sine and cosine of one). Under one joint permutation of the dimensions the sum of
-- those correlations has mean −K/(d−1) and variance S/(d−1), twice that for half the width, where S is the sum of the
-- squares off the diagonal of Σ x·xᵀ over the K norms x of length 1: all squares, which are Σ R², less the diagonal's
--   sums     of the squares of the norms at length 1, dimension by dimension (warehouse/features/pairwise.py)
--
-- position_z: the largest of the z-scores of weights and biases shifted by 1 and by half the width
with

norms as (
    select model, kind, d, ranks, inner_product(ranks, ranks) as square_length
    from lineage_norms
    where dropped is null
),

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

shifted as (
    select
        model, kind, d,
        count(*) as norms,
        sum(inner_product(ranks, ranks[2:] || ranks[:1]) / square_length) as by_one,
        sum(inner_product(ranks, ranks[d // 2 + 1:] || ranks[:d // 2]) / square_length) as by_half
    from norms
    group by model, kind, d
),

diagonals as (
    select model, kind, sum(entry ** 2) as diagonal
    from (select model, kind, dim, sum(squares) as entry from sums group by model, kind, dim)
    group by model, kind
),

spread as (
    select model, kind, 2 * inner_product(correlations, correlations) - len(norms) - diagonal as off_diagonal
    from correlations
    join diagonals using (model, kind)
),

placed as (
    select
        model,
        max(greatest(
            (by_one + norms / (d - 1)) / sqrt(off_diagonal / (d - 1)),
            (by_half + norms / (d - 1)) / sqrt((2 - d % 2) * off_diagonal / (d - 1))
        )) as largest_z
    from shifted
    join spread using (model, kind)
    where off_diagonal > 0
    group by model
)

-- rounded, because threads add in any order and a stored row is to be the same to the byte
select model, depth, layers, round(largest_z, 9) as position_z
from described
left join placed using (model)
