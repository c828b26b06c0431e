-- id: accusation.mismatched_control
-- title: A control of mismatched layers has a cosine of 0.9453, and with 1 subtracted from all weights 0.5699.
-- documents: accusation_output
-- section: proof_analysis.png panel 4, probe_final.py lines 304-330
-- evidence: weights
-- needs: solar, glm
-- version: 1
-- reading: As the script has it: the norms are in one list, input and post-attention norm of layer 0, of layer 1
--   and so on; the first thirty of Solar are compared with the five that are five to nine places later in GLM's
--   list. So most of the 150 pairs are of different norms. Matched: all 92 places with themselves. The cosine of w
--   - 1 is that of the weights minus 1, here from means, lengths and products of patterns. Tolerance is half a
--   digit.
with

places as (
    select
        model, layer * 2 + (ln_type = 'post_attention_layernorm')::integer as place, d, mean, std, pattern
    from vectors
    where
        model in ('solar', 'glm') and layer between 0 and 45
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

cosines as (
    select
        a.place = b.place as is_matched,
        list_inner_product(a.pattern, b.pattern) / a.d as product,
        (product + a.mean * b.mean) / sqrt((a.std ** 2 + a.mean ** 2) * (b.std ** 2 + b.mean ** 2)) as cosine,
        (product + (a.mean - 1) * (b.mean - 1))
        / sqrt((a.std ** 2 + (a.mean - 1) ** 2) * (b.std ** 2 + (b.mean - 1) ** 2)) as minus_one
    from places as a
    join places as b on b.place = a.place or a.place < 30 and b.place between a.place + 5 and a.place + 9
    where a.model = 'solar' and b.model = 'glm'
),

computed as (
    select
        avg(cosine) filter (not is_matched) as mismatched,
        avg(minus_one) filter (is_matched) as minus_one_matched,
        avg(minus_one) filter (not is_matched) as minus_one_mismatched
    from cosines
),

figures as (
    select item, scope, value, half_digit
    from printed
    where
        document = 'accusation_output'
        and scope in ('mismatched_control', 'mismatched_control_minus_one', 'matched_layers_minus_one')
)

select
    item,
    'plain' as reading,
    value as expected,
    half_digit as tolerance,
    case scope
        when 'mismatched_control' then mismatched
        when 'matched_layers_minus_one' then minus_one_matched
        else minus_one_mismatched
    end as observed
from figures
cross join computed
order by item
