"""The zoo's norm vectors and lineage, shipped: a lake on a machine that never trains.

One Parquet file per table, written by `python -m ingest embed` from a lake that `just zoo` and `just toy`
trained; each file's metadata says from which. `materialise_zoo` makes them a lake like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.errors import LakeError
from warehouse.features.build import ModelFeatures, build_features
from warehouse.features.vectors import unpacked
from warehouse.lake import Lake, lake_at, tensor_rows
from warehouse.rows import ModelRow
from warehouse.storage.bundles import runs_of_models, to_current_schema
from warehouse.storage.commit import FOREVER, new_commit, write_lock
from warehouse.storage.compaction import remove_files, write_bundle
from warehouse.storage.digests import VectorDigests, tensors_digest
from warehouse.storage.parquet import (
    model_rows,
    parquet_writer,
    read_parquet,
    read_provenance,
    write_table,
)
from warehouse.tables import TABLES

FOLDER = Path(__file__).parent
SHIPPED = {name: table for name, table in TABLES.items() if table.is_shipped}
WHOLE = [name for name, table in SHIPPED.items() if table.stored == "whole lake"]
MODELS = [name for name in SHIPPED if name not in WHOLE]
MOST_BYTES = 3_000_000
# Columns that differ from lake to lake, or that models trained here do not have.
OF_FILES = ("norms_digest", "tensors_digest", "projections_digest", "files", "declared_bases")


def embedded_file(table: str) -> Path:
    return FOLDER / f"{table}.parquet"


def embed_lake(lake: Lake, provenance: dict[str, str], folder: Path = FOLDER) -> int:
    """Writes the shipped files from a trained lake; their size in bytes."""
    for table in WHOLE:
        if not (lake.file(table, table)).exists():
            raise LakeError(
                f"lake {lake.name!r} has no {table}: run `just zoo` and `just toy --size published` first"
            )
    for table in MODELS:
        files = sorted(lake.folder.glob(f"{table}/*.parquet"))
        rows = pa.concat_tables(pq.ParquetFile(file).read() for file in files).combine_chunks()
        rows = rows.drop_columns([name for name in OF_FILES if name in rows.schema.names])
        if table == "norms":
            # Children are near copies of their bases: large pages let Zstandard find them.
            options = {**TABLES["norms"].write, "compression_level": 19, "data_page_size": 1 << 20}
            with parquet_writer(folder / "norms.parquet", rows.schema, options, provenance) as writer:
                writer.write_table(rows, row_group_size=1 << 20)
        else:
            write_table(folder / f"{table}.parquet", rows, provenance)
    for table in WHOLE:
        source = lake.file(table, table)
        write_table(folder / f"{table}.parquet", pq.ParquetFile(source).read(), provenance)
    return sum((folder / f"{table}.parquet").stat().st_size for table in SHIPPED)


def materialise_zoo(lake_name: str = "zoo") -> Lake:
    """The lake from the shipped files, in seconds; one that was trained here is left as it is."""
    lake = lake_at(lake_name)
    provenance = read_provenance(embedded_file("norms"))
    if _is_there(lake, provenance):
        return lake
    # Two commands that need the zoo at once wait for each other.
    with write_lock(lake, wait=FOREVER):
        if not _is_there(lake, provenance):
            _unpack(lake, provenance)
    return lake


def _unpack(lake: Lake, provenance: dict[str, str]) -> None:
    """Write one bundle: 380 single models would be 2,280 files, of which every query would open many."""
    shipped = {table: read_parquet(embedded_file(table)) for table in MODELS}
    features = _features(shipped["models"])
    norms, tensors = _by_model("norms", shipped["norms"]), _by_model("tensors", shipped["tensors"])
    rows = [
        _with_digests(ModelRow(**row), norms[row["model"]], tensors[row["model"]])
        for row in shipped["models"].to_pylist()
    ]
    tables = {
        "models": _by_model("models", model_rows(rows)),
        "norms": norms,
        "tensors": tensors,
        **{table: _by_model(table, rows) for table, rows in features.items()},
    }
    order = [row.model for row in sorted(rows, key=lambda row: (row.hidden_size or 0, row.model))]
    with new_commit(lake) as commit:
        for stem in lake.stems():
            remove_files(commit, stem)
        write_bundle(commit, lambda table: _in_order(tables.get(table, {}), order), provenance)
        for table in WHOLE:
            write_table(
                commit.file(f"{table}/{table}.parquet"), read_parquet(embedded_file(table)), provenance
            )
        commit.publish()


def _with_digests(row: ModelRow, norms: pa.Table, tensors: pa.Table) -> ModelRow:
    digests = VectorDigests()
    digests.add_rows(norms)
    return replace(
        row, norms_digest=digests.digest(), tensors_digest=tensors_digest(tensor_rows(tensors)), files=[]
    )


def _in_order(rows: Mapping[str, pa.Table], models: Sequence[str]) -> Iterator[pa.Table]:
    return (rows[model] for model in models if model in rows)


def _by_model(table: str, rows: pa.Table) -> dict[str, pa.Table]:
    return dict(runs_of_models(to_current_schema(table, rows)))


def _is_there(lake: Lake, provenance: dict[str, str]) -> bool:
    return bool(lake.stems()) and not _is_older(lake, provenance)


def _is_older(lake: Lake, provenance: dict[str, str]) -> bool:
    """Whether the lake came from other files than these."""
    stored = next(lake.folder.glob("norms/*.parquet"), None)
    made = read_provenance(stored) if stored else {}
    return made.get("made_by") == provenance["made_by"] and made != provenance


def _features(models: pa.Table) -> ModelFeatures:
    vectors = [vector for batch in unpacked(embedded_file("norms")) for vector in batch]
    return build_features(vectors, [ModelRow(**row) for row in models.to_pylist()])
