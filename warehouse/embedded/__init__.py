"""The zoo's norm vectors and lineage, shipped: a lake on a machine that never trains.

One Parquet file per table, written by `python -m ingest embed` from a lake that `just zoo` and
`just toy` trained; each file's metadata says from which. `materialise_zoo` makes them a lake like any other.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from warehouse.changes import Change, staged_change, writing
from warehouse.errors import LakeError
from warehouse.lake import Lake, lake_at, relative_file
from warehouse.pack import PER_MODEL as PACKED
from warehouse.pack import Packed, pack, write_packed
from warehouse.parquet import NORMS_OPTIONS, parquet_writer, read_provenance, write_table
from warehouse.schemas import ModelRow
from warehouse.unpack import unpacked

FOLDER = Path(__file__).parent
PER_MODEL = ("norms", "tensors", "models")
WHOLE = ("lineage_truth", "toy_losses")
MOST_BYTES = 3_000_000


def embedded_file(table: str) -> Path:
    return FOLDER / f"{table}.parquet"


def embed_lake(lake: Lake, provenance: dict[str, str], folder: Path = FOLDER) -> int:
    """Writes the shipped files from a trained lake; their size in bytes."""
    for table in WHOLE:
        if not (lake.path / table / f"{table}.parquet").exists():
            raise LakeError(
                f"lake {lake.name!r} has no {table}: run `just zoo` and `just toy --size published` first"
            )
    for table in PER_MODEL:
        files = sorted(lake.path.glob(f"{table}/*/{table}.parquet"))
        rows = pa.concat_tables(pq.ParquetFile(file).read() for file in files).combine_chunks()
        if table == "norms":
            # Zstandard finds the copies that quantised and fine-tuned children are, if a page holds several.
            options = {**NORMS_OPTIONS, "compression_level": 19, "data_page_size": 1 << 20}
            with parquet_writer(folder / "norms.parquet", rows.schema, options, provenance) as writer:
                writer.write_table(rows, row_group_size=1 << 20)
        else:
            write_table(folder / f"{table}.parquet", rows, provenance)
    for table in WHOLE:
        source = lake.path / table / f"{table}.parquet"
        write_table(folder / f"{table}.parquet", pq.ParquetFile(source).read(), provenance)
    return sum((folder / f"{table}.parquet").stat().st_size for table in (*PER_MODEL, *WHOLE))


def materialise_zoo(lake_name: str = "zoo") -> Lake:
    """The lake from the shipped files, in seconds; one that was trained here is left as it is."""
    lake = lake_at(lake_name)
    provenance = read_provenance(embedded_file("norms"))
    if lake.path.is_dir() and not _is_older(lake, provenance):
        return lake
    with writing(lake), staged_change(lake) as change:
        norms = pq.ParquetFile(embedded_file("norms")).read()
        by_model = {table: pq.ParquetFile(embedded_file(table)).read() for table in PER_MODEL[1:]}
        packed = _packed(by_model["models"])
        models = pc.unique(norms["model"]).to_pylist()
        for table in (*PER_MODEL, *PACKED):
            for stale in {path.parent.name for path in lake.path.glob(f"{table}/*/*")}:
                if stale not in models:
                    change.remove(f"{table}/{stale}/{table}.parquet")
        for model in models:
            for table, rows in by_model.items():
                write_table(change.file(relative_file(table, model)), _of(rows, model), provenance)
            file = change.file(relative_file("norms", model))
            with parquet_writer(file, norms.schema, NORMS_OPTIONS, provenance) as writer:
                writer.write_table(_of(norms, model))
            write_packed(packed, model, partial(_staged, change, model), provenance)
        for table in WHOLE:
            rows = pq.ParquetFile(embedded_file(table)).read()
            write_table(change.file(f"{table}/{table}.parquet"), rows, provenance)
        change.publish()
    return lake


def _staged(change: Change, model: str, table: str) -> Path:
    return change.file(relative_file(table, model))


def _is_older(lake: Lake, provenance: dict[str, str]) -> bool:
    """Whether the lake came from files that an earlier version shipped."""
    stored = next(lake.path.glob("norms/*/norms.parquet"), None)
    made = read_provenance(stored) if stored else {}
    return made.get("made_by") == provenance["made_by"] and made != provenance


def _packed(models: pa.Table) -> Packed:
    """All models at once."""
    vectors = [vector for batch in unpacked(embedded_file("norms")) for vector in batch]
    return pack(vectors, [ModelRow(**row) for row in models.to_pylist()])


def _of(rows: pa.Table, model: str) -> pa.Table:
    return rows.filter(pc.equal(rows["model"], model)).combine_chunks()
