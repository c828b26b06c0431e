-- id: accusation.nearly_identical
-- title: Norms of Solar and GLM are nearly identical at layer 10, from layer 40 on, and on average.
-- documents: accusation, accusation_report
-- section: lines 35, 96; report lines 55-56
-- evidence: weights
-- needs: solar, glm
-- version: 1
-- reading: The words come with cosines. plain: by the cosine, of which the lowest is 0.94 or more, a little
--   below the lowest figure that is called so (0.949); observed is the lowest. weights: as weights are usually
--   called nearly identical: a correlation of at least 0.9, and means of which the smaller is at least nine tenths
--   of the larger; observed is the lowest correlation. A copy has 1 in all three. Layer 10: input norm. From layer
--   40 on: both. On average: the mean of either norm over layers 0 to 45.
with

means as (
    select model, layer, ln_type, mean
    from vector_stats
    where model in ('solar', 'glm')
),

compared as (
    select pairs.layer, pairs.ln_type, cosine, pearson, least(a.mean, b.mean) / greatest(a.mean, b.mean) as ratio
    from matched_layers as pairs
    join means as a on a.model = model_a and a.layer = pairs.layer and a.ln_type = pairs.ln_type
    join means as b on b.model = model_b and b.layer = pairs.layer and b.ln_type = pairs.ln_type
    where
        model_a = 'solar' and model_b = 'glm' and pairs.layer <= 45
        and pairs.ln_type in ('input_layernorm', 'post_attention_layernorm')
),

scopes as (
    select 'readme.interp.layer10_nearly_identical' as item, cosine, pearson, ratio
    from compared
    where layer = 10 and ln_type = 'input_layernorm'
    union all
    select 'readme.layers.from_40_nearly_identical' as item, min(cosine), min(pearson), min(ratio)
    from compared
    where layer >= 40
    union all
    select 'report.types.norms_nearly_identical' as item, min(cosine), min(pearson), min(ratio)
    from (select avg(cosine) as cosine, avg(pearson) as pearson, avg(ratio) as ratio from compared group by ln_type)
),

items as (
    select distinct unnest([
        'readme.interp.layer10_nearly_identical',
        'readme.layers.from_40_nearly_identical',
        'report.types.norms_nearly_identical'
    ]) as item
)

select
    'accusation.' || item as item,
    unnest(['plain', 'weights']) as reading,
    unnest(['a cosine of 0.94 or more', 'a correlation of 0.9, and means within a tenth']) as statement,
    unnest([cosine >= 0.94, pearson >= 0.9 and ratio >= 0.9]) as holds,
    unnest([cosine, pearson]) as observed
from items
left join scopes using (item)
order by item, reading
