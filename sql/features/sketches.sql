-- one row per model: its sketch, which a search compares first
-- The ranked norm weights, scaled to length 1, are added up. Each dimension becomes one bit: whether its sum is above
-- the median. Half of the bits of every model are set, so two unrelated models differ in half of them, whatever their
-- norms look like
--   sums    of the norms at length 1, dimension by dimension (warehouse/features/structure.py)
--   bits    64 to a BIGINT, the last one filled up with zeros; NULL where no norm varies
with

-- norms of one length have many sums in common: rounded, those are the same in whatever order they were added
summed as (
    select model, sum_number, dim, round(total * 2 ** 40) as total
    from sums
    where kind = 'weights'
),

halved as (
    select model, sum_number, dim, total > median(total) over (partition by model, sum_number) as is_above
    from summed
),

written as (
    select
        model, sum_number,
        string_agg(case when is_above then '1' else '0' end, '' order by dim) as digits
    from halved
    group by model, sum_number
),

-- a model without such norms has zeros there
joined as (
    select
        model,
        string_agg(coalesce(digits, repeat('0', width)), '' order by sum_number) as digits
    from files.sketches
    join range(4) as numbers (sum_number) on sum_number < sketch_sums(width)
    left join written using (model, sum_number)
    where model in (select model from summed)
    group by model
),

filled as (
    select model, digits || repeat('0', (64 - len(digits) % 64) % 64) as digits
    from joined
)

select
    model, width, decoder_layers, depth, layers, position_z, period_z, echo_z, repeated_dims,
    list_transform(range(len(digits) // 64), lambda i: substring(digits, 64 * i + 1, 64)::bit::bigint) as bits
from files.sketches
left join filled using (model)
order by model
