"""Error rates from known pairs: what the test sees of each transformation, and what it sees where nothing is.

Everything here is SQL over the table `known`, with the columns of `calibration_pairs`.
"""

from __future__ import annotations

import duckdb
import pyarrow as pa

# One row a transformation. Rates count related pairs above every independent pair, so each statistic gets the
# threshold that makes no mistake here; `found` counts our verdict. AUC: the chance that a related pair is
# above an unrelated or independent one; NULL where the statistic is undefined (constant norms).
TRANSFORMATIONS = """
with

statistics as (
    unpivot (select * from known where relation <> 'independent' or transformation is null)
    on cosine, pearson, z_naive, z_eff into name statistic value value
),

highest as (
    select statistic, max(value) as value from statistics where relation = 'independent' group by statistic
),

positives as (
    from statistics where relation = 'related'
),

negatives as (
    select distinct t.transformation, s.statistic, s.model_a, s.model_b, s.value
    from (select distinct transformation from known where relation = 'related') as t
    join statistics as s
        on s.relation = 'independent' or (s.relation = 'unrelated' and s.transformation = t.transformation)
),

areas as (
    select
        transformation, statistic,
        avg(case when p.value > n.value then 1.0 when p.value = n.value then 0.5 else 0.0 end) as auc
    from positives as p
    join negatives as n using (transformation, statistic)
    group by all
),

rates as (
    select transformation, statistic, avg((p.value > h.value)::integer) as rate
    from positives as p
    join highest as h using (statistic)
    group by all
),

measured as (
    select
        transformation,
        max(auc) filter (statistic = 'cosine') as cosine_auc,
        max(auc) filter (statistic = 'pearson') as pearson_auc,
        max(auc) filter (statistic = 'z_naive') as z_naive_auc,
        max(auc) filter (statistic = 'z_eff') as z_eff_auc,
        max(rate) filter (statistic = 'cosine') as cosine_rate,
        max(rate) filter (statistic = 'pearson') as pearson_rate,
        max(rate) filter (statistic = 'z_naive') as z_naive_rate,
        max(rate) filter (statistic = 'z_eff') as z_eff_rate
    from areas
    join rates using (transformation, statistic)
    group by transformation
),

found as (
    select
        transformation, kind,
        count(*) as pairs,
        count_if(verdict = 'share weight history')::integer as found,
        count_if(starts_with(verdict, 'cannot tell'))::integer as cannot_tell,
        median(pearson) as pearson_median,
        min(z_eff) as z_eff_min,
        median(z_eff) as z_eff_median
    from known
    where relation = 'related'
    group by all
)

select *
from found
left join measured using (transformation)
order by
    list_position(['child', 'same start', 'distilled', 'disguise'], kind), found / pairs desc, transformation
"""

# Pairs without any relation in their groups, and those of two bases once more as one group.
GROUPED = """
unrelated as (
    from known where relation <> 'related' and z_eff is not null
),

grouped as (
    from unrelated
    union all
    select * replace ('all bases' as grouping) from unrelated where relation = 'independent'
)
"""

# One row a group of pairs without any relation.
NULL_DISTRIBUTION = f"""
with {GROUPED}
select
    grouping,
    len(list_distinct(flatten(list([model_a, model_b])))) as models,
    count(*) as pairs,
    avg(k_eff / norms_used) as k_eff_share,
    avg(z_eff) as z_eff_mean,
    stddev_samp(z_eff) as z_eff_std,
    min(z_eff) as z_eff_min,
    max(z_eff) as z_eff_max,
    avg(z_naive) as z_naive_mean,
    stddev_samp(z_naive) as z_naive_std,
    max(z_naive) as z_naive_max
from grouped
group by grouping
order by list_position(['all bases', 'plain', 'mixed', 'outliers', 'made and base'], grouping)
"""

# One row a group, statistic and level: how often chance alone goes beyond it, with Wilson's 95 % interval.
# That takes pairs as independent; they share models, so it is somewhat too narrow.
FALSE_POSITIVES = f"""
with {GROUPED},

levels(level, cut) as (
    select unnest(['5 %', '1 %', 'ours']), unnest([1.6449, 2.3263, share_z])
    from lineage_thresholds()
),

counted as (
    select
        grouping, statistic, level, cut,
        count(*) as pairs,
        count_if(value > cut)::integer as false_positives,
        false_positives / pairs as rate
    from (unpivot grouped on z_eff, z_naive into name statistic value value)
    cross join levels
    group by all
)

select
    *,
    greatest(0, (rate + 1.92 / pairs - 1.96 * sqrt(rate * (1 - rate) / pairs + 0.9604 / pairs ** 2))
        / (1 + 3.8416 / pairs)) as low,
    (rate + 1.92 / pairs + 1.96 * sqrt(rate * (1 - rate) / pairs + 0.9604 / pairs ** 2))
        / (1 + 3.8416 / pairs) as high
from counted
order by
    list_position(['all bases', 'plain', 'mixed', 'outliers', 'made and base'], grouping), statistic, cut
"""

TABLES = {
    "calibration_transformations": TRANSFORMATIONS,
    "calibration_null": NULL_DISTRIBUTION,
    "calibration_false_positives": FALSE_POSITIVES,
}


def error_rates(connection: duckdb.DuckDBPyConnection, known: pa.Table) -> dict[str, pa.Table]:
    """The three tables by name; `connection` is one to a catalog, for the thresholds."""
    connection.register("known", known)
    return {name: connection.sql(query).to_arrow_table() for name, query in TABLES.items()}
