-- id: sionic.scale_levels
-- title: Post-attention norms are 30–50 long in Solar's middle, soon in the tens in GLM, 100–140 when deep.
-- documents: sionic_ko, sionic_en
-- section: Scale
-- evidence: weights
-- needs: solar, glm, intellect
-- version: 2
-- reading: Decoder layers; early, middle and deep are thirds of them. Lengths are said to rise to 30–50 and,
--   repeatedly, to 100–140: more than half of the layers are there, 16 to 31 of Solar and 31 to 45 of GLM and
--   INTELLECT, the GLM family; observed is the share. The Korean text writes 50대 and 140대, the fifties and
--   the hundred-and-forties: bounds end at 60 and 150, and begin half a digit early. Quickly into the tens:
--   10 or more from layer 5 on at the latest; observed is the first layer from which it is so.
-- history: v2: fifties and forties count as the Korean text writes them, for more than half of the layers
with

bounds as (
    select
        split_part(item, '.', -1) as name,
        max(low) as lowest, max(low) - max(half_digit) as low, max(high) + 10 as high
    from printed
    where item similar to 'sionic.scale.(solar.post_norm_mid|glm.post_norm_(early|deep))'
    group by item
),

lengths as (
    select model, layer, floor(3 * layer / layers) as third, l2_norm
    from vector_stats
    join models using (model)
    where model in ('solar', 'glm', 'intellect') and ln_type = 'post_attention_layernorm' and layer < layers
),

solar_middle as (
    select avg((l2_norm >= low and l2_norm < high)::integer) as inside
    from lengths
    join bounds on name = 'post_norm_mid'
    where model = 'solar' and third = 1
),

glm_early as (
    select
        case when count(*) > 0 then coalesce(max(layer) filter (l2_norm < lowest), -1) + 1 end as tens_from
    from lengths
    join bounds on name = 'post_norm_early'
    where model in ('glm', 'intellect')
),

glm_deep as (
    select avg((l2_norm >= low and l2_norm < high)::integer) as inside
    from lengths
    join bounds on name = 'post_norm_deep'
    where model in ('glm', 'intellect') and third = 2
)

select
    'sionic.scale.solar.post_norm_mid' as item,
    'plain' as reading,
    'more than half of Solar''s middle layers are within the bounds' as statement,
    inside > 0.5 as holds,
    inside as observed
from solar_middle
union all
select
    'sionic.scale.glm.post_norm_early', 'plain', 'GLM and INTELLECT are 10 or more long from layer 5 at the latest',
    tens_from <= 5, tens_from
from glm_early
union all
select
    'sionic.scale.glm.post_norm_deep', 'plain',
    'more than half of the deep layers of GLM and INTELLECT are within the bounds', inside > 0.5, inside
from glm_deep
order by item
