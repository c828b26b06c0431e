-- id: analytic.height
-- title: A common scale, or the height of a model's surface, makes raw cosines higher.
-- documents: sionic_ko, sionic_en
-- section: Scale, B.1 Figure 6
-- evidence: analytic
-- needs:
-- version: 1
-- reading: Both say that the size of the weights moves the similarity: a shared positive scale raises the raw
--   cosine, and Solar's lower surface explains the plain diagonal of Figure 2. The cosine of a and s·b is that
--   of a and b for every s > 0, and so is Pearson's r, so neither can be. What raises a cosine is the mean in
--   units of the standard deviation. On two vectors of 4096 values, 1 + sin(i)/10 and 1 + cos(2i)/10, one of
--   them scaled by 2.8 (GLM's mean of about 1.0 over Solar's 0.35, Figure 8): the claims would need a change
--   above the rounding of doubles, 1e-12. Observed is the change.
with

vectors as (
    select unnest(range(4096)) as i, 1 + sin(i) / 10 as a, 1 + cos(2 * i) / 10 as b
),

changes as (
    select
        sum(a * 2.8 * b) / sqrt(sum(a * a) * sum((2.8 * b) ** 2))
        - sum(a * b) / sqrt(sum(a * a) * sum(b * b)) as cosine_change,
        corr(a, 2.8 * b) - corr(a, b) as pearson_change
    from vectors
)

select
    'sionic.scale.global_scale_raises_cosine' as item,
    'a common positive scale raises the cosine' as statement,
    cosine_change > 1e-12 as holds,
    cosine_change as observed
from changes
union all
select
    'sionic.fig6.height_explains_no_diagonal' as item,
    'another height changes the cosine or Pearson of two layers' as statement,
    greatest(abs(cosine_change), abs(pearson_change)) > 1e-12 as holds,
    greatest(abs(cosine_change), abs(pearson_change)) as observed
from changes
order by item
