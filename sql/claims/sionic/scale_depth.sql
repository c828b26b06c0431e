-- id: sionic.scale_depth
-- title: Norm vectors tend to become longer with depth, Solar's post-attention norms steadily so.
-- documents: sionic_ko, sionic_en
-- section: Scale
-- evidence: weights
-- needs: solar, glm
-- version: 2
-- reading: Decoder layers only, without GLM's MTP layer. To tend to grow with depth is a Spearman correlation
--   of length and layer above 0.5, for both norms of Solar and GLM; observed is the lowest of the four.
--   Solar's steady rise is said of its post norm from layer 0 through the middle: the first two thirds of its
--   layers, 0 to 31, and a Spearman correlation above 0.9.
-- history: v2: a tendency is a correlation above 0.5, not 0.9; a steady rise is not asked of each single step
with

lengths as (
    select model, ln_type, layer, l2_norm
    from vector_stats
    join models using (model)
    where
        model in ('solar', 'glm') and layer < layers
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

ranked as (
    select model, ln_type, layer, rank() over (partition by model, ln_type order by l2_norm) as place
    from lengths
),

trends as (
    select corr(layer, place) as spearman
    from ranked
    group by model, ln_type
),

solar_rise as (
    select layer, rank() over (order by l2_norm) as place
    from lengths
    where model = 'solar' and ln_type = 'post_attention_layernorm' and layer < 32
)

select
    'sionic.scale.norm_grows_with_depth' as item,
    'plain' as reading,
    'length tends to follow depth in both norms of Solar and of GLM' as statement,
    min(spearman) > 0.5 as holds,
    min(spearman) as observed
from trends
union all
select
    'sionic.scale.solar.post_norm_rises' as item,
    'plain' as reading,
    'length follows depth from layer 0 to 31' as statement,
    corr(layer, place) > 0.9 as holds,
    corr(layer, place) as observed
from solar_rise
order by item
