-- id: sionic.scale_levels
-- title: Post-attention norms are 30–50 long in Solar's middle, soon in the tens in GLM, 100–140 when deep.
-- documents: sionic_ko, sionic_en
-- section: Scale
-- evidence: weights
-- needs: solar, glm, intellect
-- version: 1
-- reading: Decoder layers; early, middle and deep are thirds of them. Solar: every middle layer (16 to 31)
--   within half a digit of the bounds; @fifties allows up to 60, as the Korean text says 30-50대. GLM family:
--   GLM and INTELLECT. Quickly into the tens: 10 or more from layer 5 on at the latest; observed is the first
--   layer from which it is so. 100–140 is said to be reached again and again: by more than half of the deep
--   layers; @each: by all. Observed is the share of layers inside.
with

bounds as (
    select
        split_part(item, '.', -1) as name,
        max(low) as low, max(high) as high, max(half_digit) as half_digit
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
    select
        avg((l2_norm between low - half_digit and high + half_digit)::integer) as inside,
        avg((l2_norm between low - half_digit and high + 10)::integer) as inside_fifties
    from lengths
    join bounds on name = 'post_norm_mid'
    where model = 'solar' and third = 1
),

glm_early as (
    select
        case when count(*) > 0 then coalesce(max(layer) filter (l2_norm < low), -1) + 1 end as tens_from
    from lengths
    join bounds on name = 'post_norm_early'
    where model in ('glm', 'intellect')
),

glm_deep as (
    select avg((l2_norm between low - half_digit and high + half_digit)::integer) as inside
    from lengths
    join bounds on name = 'post_norm_deep'
    where model in ('glm', 'intellect') and third = 2
)

select
    unnest(['sionic.scale.solar.post_norm_mid', 'sionic.scale.solar.post_norm_mid@fifties']) as item,
    unnest(['every middle layer of Solar is within the bounds', '… or below 60']) as statement,
    unnest([inside = 1, inside_fifties = 1]) as holds,
    unnest([inside, inside_fifties]) as observed
from solar_middle
union all
select
    'sionic.scale.glm.post_norm_early' as item,
    'GLM and INTELLECT are 10 or more long from layer 5 at the latest' as statement,
    tens_from <= 5 as holds,
    tens_from as observed
from glm_early
union all
select
    unnest(['sionic.scale.glm.post_norm_deep', 'sionic.scale.glm.post_norm_deep@each']) as item,
    unnest(['more than half of the deep layers are within the bounds', 'all of them are']) as statement,
    unnest([inside > 0.5, inside = 1]) as holds,
    unnest([inside, inside]) as observed
from glm_deep
order by item
