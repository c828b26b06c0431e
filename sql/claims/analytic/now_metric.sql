-- id: analytic.now_metric
-- title: The cosine of vectors around 1 is high without anything in common; it needs vectors of one length.
-- documents: critique_now
-- section: Design, Models
-- evidence: analytic
-- needs:
-- version: 1
-- reading: Too high: two vectors that are 1 with deviations of 0.1 in patterns without any correlation still have
--   a cosine of 0.95 or more, what the page calls very high; observed is the cosine. One length: the cosine of
--   vectors of different lengths is not defined.
with

vectors as (
    select 1 + sqrt(0.02) * sin(2 * pi() * i / 64) as a, 1 + sqrt(0.02) * cos(2 * pi() * i / 64) as b
    from range(64) as dims (i)
),

compared as (
    select
        sum(a * b) / sqrt(sum(a * a) * sum(b * b)) as cosine, corr(a, b) as pearson,
        list(a) as longer, list(b)[:63] as shorter
    from vectors
)

select
    unnest(['critique.now.design.exp6_cosine_may_be_high', 'critique.now.models.same_dimension_needed']) as item,
    'plain' as reading,
    unnest([
        'uncorrelated vectors around 1 have a cosine of 0.95 or more', 'of two lengths it is undefined'
    ]) as statement,
    unnest([cosine >= 0.95 and abs(pearson) < 1e-9, try(list_cosine_similarity(longer, shorter)) is null]) as holds,
    unnest([cosine, null]) as observed
from compared
