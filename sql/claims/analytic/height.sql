-- id: analytic.height
-- title: A scale component that all weights share raises the cosine; the height of a surface is said to matter too.
-- documents: sionic_ko, sionic_en
-- section: Scale, B.1 Figure 6
-- evidence: analytic
-- needs:
-- version: 3
-- reading: On two unrelated patterns of 4096 values, sin(i)/10 and cos(2i)/10. The global scale component is said
--   to align the weights with a positive direction, so it is a common part added to each weight: the cosine
--   must rise as that part goes from 0 to 0.1 to 1. Figure 6: Solar's lower surface is said to explain the
--   plain diagonal of Figure 2. A height is a size of all weights: with a common part of 1, one vector is scaled
--   by 2.8 (GLM's mean of about 1.0 over Solar's 0.35, Figure 8), and the cosine or Pearson would have to
--   change by more than the rounding of doubles, 1e-12. They are the same for every positive factor. added: a
--   height is a common part that is added. A lower one would have to make a diagonal less distinct: the gap
--   between the cosine with a vector that shares a third of the pattern and with one that shares none would be
--   smaller for a common part of 0.35 than for one of 1; it is larger. Observed is the rise from 0 to 1; the
--   change; and how much larger the gap is.
-- history: v2: the global scale component is a common part that is added, not a factor
-- history: v3: a height that is added is a reading beside a factor
with

vectors as (
    select
        level,
        sin(i) / 10 + level as a,
        cos(2 * i) / 10 + level as b,
        sin(i) / 30 + cos(2 * i) / 10 + 1 as partner
    from range(4096) as dims (i)
    cross join (select unnest([0, 0.1, 0.35, 1]) as level)
),

compared as (
    select
        level,
        sum(a * b) / sqrt(sum(a * a) * sum(b * b)) as cosine,
        sum(a * 2.8 * b) / sqrt(sum(a * a) * sum((2.8 * b) ** 2)) - cosine as cosine_change,
        corr(a, 2.8 * b) - corr(a, b) as pearson_change,
        sum(a * partner) / sqrt(sum(a * a) * sum(partner * partner))
        - sum(a * (b - level + 1)) / sqrt(sum(a * a) * sum((b - level + 1) ** 2)) as gap
    from vectors
    group by level
),

changes as (
    select
        list(cosine order by level) as cosines,
        max(greatest(abs(cosine_change), abs(pearson_change))) filter (level = 1) as by_height,
        max(gap) filter (level = 0.35) - max(gap) filter (level = 1) as by_offset
    from compared
)

select
    unnest([
        'sionic.scale.global_scale_raises_cosine',
        'sionic.fig6.height_explains_no_diagonal',
        'sionic.fig6.height_explains_no_diagonal'
    ]) as item,
    unnest(['plain', 'plain', 'added']) as reading,
    unnest([
        'a common positive part raises the cosine, the more the larger it is',
        'another height changes the cosine or Pearson of two layers',
        'a smaller common part makes a diagonal less distinct'
    ]) as statement,
    unnest([
        cosines[1] < cosines[2] and cosines[2] < cosines[3] and cosines[3] < cosines[4],
        by_height > 1e-12,
        by_offset < 0
    ]) as holds,
    unnest([cosines[4] - cosines[1], by_height, by_offset]) as observed
from changes
