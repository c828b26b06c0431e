-- one row per model: what a search asks of it first
-- The ranked norm weights at length 1 are added up, and what is left of each dimension is a bit: whether its sum is
-- above the median. Half of the bits are set in every model, so that two models without relation differ in half of
-- them, whatever their norms look like. Narrow models have one sum for the first norms of the layers and one for the
-- others, in either half of the depth: four times the bits, where a single sum would have too few
--   bits    64 to a BIGINT, the last one filled up with zeros; NULL where no norm varies
with

norms as (
    select
        model, d, ranks, layer, stack, ln_type,
        sqrt(inner_product(ranks, ranks)) as length,
        max(layer) over (partition by model, stack) as last_layer
    from lineage_norms
    where dropped is null and part = 'weights'
),

grouped as (
    select
        model, d, length, ranks,
        case
            when sketch_sums(d) = 1 then 0
            else
                case when regexp_matches(ln_type, '(input_layernorm|embedding_norm)$') then 0 else 2 end
                + case when 2 * layer > last_layer or ends_with(ln_type, 'final_norm') then 1 else 0 end
        end as part_of_bits
    from norms
),

unpacked as (
    select model, part_of_bits, generate_subscripts(ranks, 1) as dim, unnest(ranks) / length as share
    from grouped
),

summed as (
    select model, part_of_bits, dim, sum(share) as total
    from unpacked
    group by model, part_of_bits, dim
),

halved as (
    select model, part_of_bits, dim, total > median(total) over (partition by model, part_of_bits) as is_above
    from summed
),

written as (
    select
        model, part_of_bits,
        string_agg(case when is_above then '1' else '0' end, '' order by dim) as digits
    from halved
    group by model, part_of_bits
),

-- a model without such norms has zeros there
joined as (
    select
        model,
        string_agg(coalesce(digits, repeat('0', d)), '' order by part_of_bits) as digits
    from (select distinct model, d from norms)
    join range(4) as parts (part_of_bits) on part_of_bits < sketch_sums(d)
    left join written using (model, part_of_bits)
    group by model
),

filled as (
    select model, digits || repeat('0', (64 - len(digits) % 64) % 64) as digits
    from joined
)

select
    model, width, decoder_layers, depth, layers, place_z,
    list_transform(range(len(digits) // 64), lambda i: substring(digits, 64 * i + 1, 64)::bit::bigint) as bits
from files.sketches
left join filled using (model)
order by model
