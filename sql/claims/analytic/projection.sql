-- id: analytic.projection
-- title: Taking out the mean projects a vector orthogonally to (1, …, 1) and costs one degree of freedom.
-- documents: sionic_ko, sionic_en
-- section: 1, A.2, A.3
-- evidence: analytic
-- needs:
-- version: 2
-- reading: On a vector of 4096 values 1 + sin(i)/10, on a 3-vector, and on the matrix P = I − 11ᵀ/8 itself.
--   The rank of a projection is its trace, so the dimension lost is 8 − trace P, and the offset space is what
--   I − P projects onto. Expected are the printed 0 and 1; the tolerance is the rounding of sums of 4096
--   doubles, 1e-10, not zero.
-- history: v2: names the reading of each row
with

vector as (
    select unnest(range(4096)) as i, 1 + sin(i) / 10 as x
),

centred as (
    select i, x - avg(x) over () as x from vector
),

three as (
    select x - avg(x) over () as x from (values (0.95), (0.70), (0.72)) as t (x)
),

matrix as (
    select i, j, (i = j)::int - 1 / 8 as p
    from range(8) as rows (i)
    cross join range(8) as columns (j)
),

traces as (
    select sum(p) as trace, count(*) as size from matrix where i = j
),

measured as (
    select 'sionic.s1.projection_plane_3d' as item, sum(x) as observed from three
    union all
    select 'sionic.a2.residual_orthogonal' as item, sum(x * 1) as observed from centred
    union all
    select 'sionic.a3.components_sum_to_zero' as item, sum(x) as observed from centred
    union all
    select 'sionic.a2.offset_space_dim_1' as item, size - trace as observed from traces
    union all
    select 'sionic.a3.dimension_d_minus_1' as item, size - trace as observed from traces
),

claimed as (
    select distinct item, value
    from printed
    where item in (select item from measured)
)

select
    claimed.item,
    'plain' as reading,
    claimed.value as expected,
    1e-10 as tolerance,
    measured.observed
from claimed
left join measured using (item)
order by claimed.item
