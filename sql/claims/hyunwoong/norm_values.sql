-- id: hyunwoong.norm_values
-- title: After training, norm weights tend to be still mostly positive, not far from 1.0 and of low variance.
-- documents: hyunwoong
-- section: 2 discussion 2, 3, 4.5
-- evidence: weights
-- needs: solar, glm, phi
-- version: 2
-- reading: A tendency, which the document gives as its conjecture for why cosines are high. Both norms of
--   Solar, GLM and Phi at all layers, GLM's MTP layer among them. Mostly positive: nine in ten weights. Not
--   far from 1: the mean of more than half of the vectors rounds to 1, the coarsest of the forms in which the
--   document prints it (1.0, 1). order_of_magnitude is the widest fair reading: the mean of more than half of
--   them has 1 as nearest power of ten. Low variance: low enough to explain a cosine of 0.9, the document's
--   bound of a high one, by the offset alone: offset_part squared, which two vectors alike in this have as
--   cosine without a common pattern, is 0.9 or more (a spread of at most a third of the mean) in more than
--   half of the vectors. Observed is the share.
-- history: v2: a tendency is asked of most vectors, no longer of each; near 1 also by order of magnitude
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

shares as (
    select
        avg((abs(mean - near.value) <= near.half_digit)::integer) as near_1,
        avg((mean > 0 and abs(log10(abs(mean) / near.value)) <= 0.5)::integer) as of_order_1,
        avg((offset_part ** 2 >= high.cosine)::integer) as narrow
    from vector_stats, near, high
    where model in ('solar', 'glm', 'phi') and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

checks (item, reading, statement, holds, observed) as (
    select 'mostly_positive', 'plain', 'nine in ten weights are positive', share >= 0.9, share
    from positive
    union all
    select 'stays_near_1', 'plain', 'the mean of most vectors rounds to 1', near_1 > 0.5, near_1
    from shares
    union all
    select
        'stays_near_1', 'order_of_magnitude', 'the mean of most vectors is of the order of 1',
        of_order_1 > 0.5, of_order_1
    from shares
    union all
    select 'low_variance', 'plain', 'the offset alone makes a high cosine in most', narrow > 0.5, narrow
    from shares
)

select 'hyunwoong.s2.' || item as item, reading, statement, holds, observed
from checks
order by item, reading desc
