-- id: analytic.projection_algebra
-- title: The mean is the projection coefficient on (1, …, 1), and centring is a linear projection.
-- documents: sionic_ko, sionic_en
-- section: A.2
-- evidence: analytic
-- needs:
-- version: 2
-- reading: The coefficient is ⟨x, 1⟩ / ⟨1, 1⟩. A linear map is a projection if applying it twice changes
--   nothing: with P = I − 11ᵀ/8, every entry of P·P − P and of P·(2x + 3y) − 2P·x − 3P·y must be 0 up to the
--   rounding of doubles, 1e-12. Observed is the largest deviation.
-- history: v2: names the reading of each row
with

vector as (
    select unnest(range(4096)) as i, 1 + sin(i) / 10 as x
),

matrix as (
    select i, j, (i = j)::int - 1 / 8 as p
    from range(8) as rows (i)
    cross join range(8) as columns (j)
),

twice as (
    select left_half.i, right_half.j, sum(left_half.p * right_half.p) as pp
    from matrix as left_half
    join matrix as right_half on left_half.j = right_half.i
    group by left_half.i, right_half.j
),

applied as (
    select
        i,
        sum(p * (2 * sin(j) + 3 * cos(2 * j))) as together,
        2 * sum(p * sin(j)) + 3 * sum(p * cos(2 * j)) as one_by_one
    from matrix
    group by i
),

deviations as (
    select
        (select abs(sum(x * 1) / sum(1 * 1) - avg(x)) from vector) as coefficient,
        (select max(abs(pp - p)) from twice join matrix using (i, j)) as idempotence,
        (select max(abs(together - one_by_one)) from applied) as linearity
)

select
    'sionic.a2.mean_is_projection_coefficient' as item,
    'plain' as reading,
    'projection coefficient and mean are the same number' as statement,
    coefficient < 1e-12 as holds,
    coefficient as observed
from deviations
union all
select
    'sionic.a2.centering_is_linear_projection' as item,
    'plain' as reading,
    'the map is linear, and twice is as once' as statement,
    greatest(idempotence, linearity) < 1e-12 as holds,
    greatest(idempotence, linearity) as observed
from deviations
order by item
