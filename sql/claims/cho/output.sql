-- id: cho.output
-- title: Published output: mean Pearson of 0.0126 and -0.0019 by norm, 0.0054 in equal layers, 0.0055 mismatched.
-- documents: cho_output
-- section: out_comprehensive/statistics.json, out_final/statistics.json
-- evidence: weights
-- needs: solar, glm
-- version: 1
-- reading: What the scripts wrote, as the output of the accusation's scripts is judged. Over layers 0 to 45.
--   Equal layers are both norms together. Mismatched as in accusation.mismatched_control: the norms are in one
--   list, and the first thirty of Solar are compared with the five that are five to nine places later in GLM's.
--   Spreads are standard deviations over the layers. Tolerance is half of the sixth digit, to which the figures
--   are entered.
with

places as (
    select
        model, layer * 2 + (ln_type = 'post_attention_layernorm')::integer as place, ln_type, d, std, pattern
    from vectors
    where
        model in ('solar', 'glm') and layer between 0 and 45
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

compared as (
    select
        a.place = b.place as is_matched, a.ln_type,
        list_inner_product(a.pattern, b.pattern) / (a.d * a.std * b.std) as pearson
    from places as a
    join places as b on b.place = a.place or a.place < 30 and b.place between a.place + 5 and a.place + 9
    where a.model = 'solar' and b.model = 'glm'
),

computed as (
    select 'matched_layers' as scope, ln_type, avg(pearson) as mean, stddev_pop(pearson) as std
    from compared
    where is_matched
    group by rollup (ln_type)
    union all
    select 'mismatched_control', null, avg(pearson), null
    from compared
    where not is_matched
)

select
    item,
    case aggregate when 'std' then 'spread' else 'plain' end as reading,
    value as expected,
    half_digit as tolerance,
    case aggregate when 'std' then computed.std else computed.mean end as observed
from printed
left join computed
    on computed.scope = printed.scope and computed.ln_type is not distinct from printed.ln_type
where document = 'cho_output' and printed.scope in ('matched_layers', 'mismatched_control')
order by item, reading
