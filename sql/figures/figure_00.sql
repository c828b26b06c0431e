-- one row per share of the mean removed and thing drawn: two vectors; axes, diagonal and plane once
-- how taking out the mean turns a cosine of 0.96 into a correlation of -0.60, in three dimensions
--
-- kind: vector, axis, ones (the direction that means lie along) or plane (across it)
-- name: which of the kind; a corner's number for the plane
-- removed: share of its mean taken from each vector, from 0 (as it is) to 1 (centred); NULL for the scenery
-- cosine: cosine of the two vectors at that share; at 1 it is the Pearson correlation
-- angle: its angle in degrees
with

-- not printed; the vectors that the document's own script draws
examples (name, x, y, z) as (
    values ('A', 0.95, 0.70, 0.72), ('B', 0.70, 1.05, 0.72)
),

shares as (
    select n / 50 as removed
    from range(0, 51) as r (n)
),

moved as (
    select
        removed, name,
        x - removed * (x + y + z) / 3 as x,
        y - removed * (x + y + z) / 3 as y,
        z - removed * (x + y + z) / 3 as z
    from examples
    cross join shares
),

compared as (
    select
        removed,
        list_cosine_similarity([a.x, a.y, a.z], [b.x, b.y, b.z]) as cosine
    from moved as a
    join moved as b using (removed)
    where a.name = 'A' and b.name = 'B'
),

scenery (kind, name, x, y, z) as (
    values
    ('axis', 'x', 1.1, 0, 0), ('axis', 'y', 0, 1.1, 0), ('axis', 'z', 0, 0, 1.1),
    ('ones', '(1, 1, 1)', 0.8, 0.8, 0.8)
),

-- a hexagon around the origin, across (1, 1, 1)
plane as (
    select
        'plane' as kind,
        n::varchar as name,
        0.5 * (cos(n * pi() / 3) / sqrt(2) + sin(n * pi() / 3) / sqrt(6)) as x,
        0.5 * (-cos(n * pi() / 3) / sqrt(2) + sin(n * pi() / 3) / sqrt(6)) as y,
        0.5 * (-2 * sin(n * pi() / 3) / sqrt(6)) as z
    from range(0, 7) as r (n)
),

vectors_drawn as (
    select
        'vector' as kind, name, removed, x, y, z, cosine,
        degrees(acos(cosine)) as angle
    from moved
    join compared using (removed)
)

select kind, name, removed, x, y, z, cosine, angle
from (
    from vectors_drawn
    union all by name
    from scenery
    union all by name
    from plane
)
order by kind, name, removed
