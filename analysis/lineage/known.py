"""The pairs of a zoo whose relation is known, each with every statistic: what a calibration is made from.

Three relations. `independent`: two bases. `related`: a model and one it was made from. `unrelated`: a model
and a base that it was not made from, the control for what a transformation does by itself.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa

from analysis.lineage.pair import NormReader, add_permutations
from warehouse.empty import CALIBRATION_PAIRS
from warehouse.errors import LakeError
from warehouse.lake import Lake

TRUTH_FILE = "lineage_truth/lineage_truth.parquet"
MAPPED_PERMUTATIONS = 200

RELATED_PAIRS = """
with

bases as (
    select child as model, case kind when 'outliers' then 'outliers' else 'plain' end as sort
    from truth
    where parent is null
),

made as (
    from truth
    where parent is not null
),

independent as (
    select
        a.model as one, b.model as other, 'independent' as relation,
        case when a.sort = b.sort then a.sort else 'mixed' end as grouping,
        null as transformation, null as kind
    from bases as a
    join bases as b on a.model < b.model
),

related as (
    select child, parent, 'related', 'derived', transformation, kind
    from made
),

unrelated as (
    select distinct made.child, bases.model, 'unrelated', 'made and base', made.transformation, made.kind
    from made
    cross join bases
    anti join made as known on known.child = made.child and known.parent = bases.model
),

all_known as (
    from independent union all from related union all from unrelated
)

select p.*, k.relation, k.grouping, k.transformation, k.kind
from all_known as k
join lineage_matrix as p on p.model_a = least(k.one, k.other) and p.model_b = greatest(k.one, k.other)
order by k.relation, k.transformation, p.model_a, p.model_b
"""


def known_pairs(connection: duckdb.DuckDBPyConnection, lake: Lake) -> pa.Table:
    """z_eff is the one that the verdict is about: with layers mapped blindly where depths differ."""
    path = truth_file(lake)
    connection.execute("create or replace temp table truth as from read_parquet(?)", [str(path)])
    read = NormReader(connection)
    rows = []
    for row in connection.sql(RELATED_PAIRS).to_arrow_table().to_pylist():
        pair = add_permutations(read, row, 0, MAPPED_PERMUTATIONS, seed=0)
        known = {name: row[name] for name in CALIBRATION_PAIRS.names if name in row}
        known |= {"cosine": row["cosine_mean"], "pearson": row["pearson_mean"], "z_eff": pair.z}
        rows.append(known | {"is_mapped": pair.mapped is not None, "verdict": pair.verdict})
    return pa.Table.from_pylist(rows, CALIBRATION_PAIRS)


def truth_file(lake: Lake) -> Path:
    path = lake.path / TRUTH_FILE
    if not path.exists():
        raise LakeError(
            f"lake {lake.name!r} does not say who descends from whom: `just zoo` makes one that does"
        )
    return path
