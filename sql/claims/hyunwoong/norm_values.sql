-- id: hyunwoong.norm_values
-- title: After training, norm weights are still mostly positive, near 1.0 and of low variance.
-- documents: hyunwoong
-- section: 2 discussion 2, 3, 4.5
-- evidence: weights
-- needs: solar, glm, phi
-- version: 1
-- reading: Both norms of Solar, GLM and Phi at all layers, GLM's MTP layer among them. Mostly positive: at
--   least 95 of 100 weights. Near 1: the mean of every vector rounds to 1, the coarsest of the forms in which
--   the document prints it (1.0, 1); observed is the mean furthest away. As it calls this a tendency, @most
--   asks it of more than half of the vectors. Low variance: low enough to explain a cosine of 0.9, the
--   document's bound of a high one, by the offset alone: offset_part squared, which two vectors alike in this
--   have as cosine without a common pattern, is 0.9 or more (a spread of at most a third of the mean) in more
--   than half of the vectors; @each asks it of all.
with

near as (
    select min(value) as value, max(half_digit) as half_digit
    from printed
    where item = 'hyunwoong.s2.stays_near_1'
),

high as (
    select min(low) as cosine
    from printed
    where item like 'hyunwoong.s2.cross_cosine_gt_0_9.%'
),

positive as (
    select count_if(value > 0) / count(*) as share
    from norms
    where model in ('solar', 'glm', 'phi') and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

vectors_seen as (
    select
        mean, abs(mean - near.value) as distance, distance <= near.half_digit as is_near,
        offset_part ** 2 as offset_cosine, offset_cosine >= high.cosine as is_narrow
    from vector_stats, near, high
    where model in ('solar', 'glm', 'phi') and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

totals as (
    select
        arg_max(mean, distance) as furthest, avg(is_near::integer) as near_share,
        min(offset_cosine) as widest, avg(is_narrow::integer) as narrow_share
    from vectors_seen
),

checks (item, statement, holds, observed) as (
    select 'mostly_positive', 'at least 95 of 100 weights are positive', share >= 0.95, share
    from positive
    union all
    select 'stays_near_1', 'the mean of every vector rounds to 1', near_share = 1, furthest
    from totals
    union all
    select 'stays_near_1@most', 'the mean of most vectors rounds to 1', near_share > 0.5, near_share
    from totals
    union all
    select 'low_variance', 'the offset alone makes a high cosine in most', narrow_share > 0.5, narrow_share
    from totals
    union all
    select 'low_variance@each', 'the offset alone makes a high cosine in all', narrow_share = 1, widest
    from totals
)

select 'hyunwoong.s2.' || item as item, statement, holds, observed
from checks
order by item
