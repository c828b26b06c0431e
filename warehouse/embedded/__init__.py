"""The zoo's norm vectors and lineage, shipped: a lake on a machine that never trains.

One Parquet file per table, written by `python -m ingest embed` from a lake that `just zoo` and
`just toy` trained; each file's metadata says from which. `materialise_zoo` makes them a lake like any other.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from warehouse.changes import staged_change, writing
from warehouse.errors import LakeError
from warehouse.lake import Lake, lake_at, relative_file
from warehouse.pack import ROW_GROUP_VECTORS, VECTORS_OPTIONS, pack_vectors
from warehouse.parquet import NORMS_OPTIONS, parquet_writer, read_provenance, write_table
from warehouse.places import store_places

FOLDER = Path(__file__).parent
PER_MODEL = ("norms", "tensors", "models")
WHOLE = ("lineage_truth", "toy_losses")
MOST_BYTES = 3_000_000
SEPARATOR = "/"  # in no model's name


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
        vectors = _packed(norms)
        models = pc.unique(norms["model"]).to_pylist()
        for table in (*PER_MODEL, "vectors", "places"):
            for stale in {path.parent.name for path in lake.path.glob(f"{table}/*/*")}:
                if stale not in models:
                    change.remove(f"{table}/{stale}/{table}.parquet")
        for model in models:
            change.remove(relative_file("places", model))
            for table, rows in by_model.items():
                write_table(change.file(relative_file(table, model)), _of(rows, model), provenance)
            file = change.file(relative_file("norms", model))
            with parquet_writer(file, norms.schema, NORMS_OPTIONS, provenance) as writer:
                writer.write_table(_of(norms, model))
            file = change.file(relative_file("vectors", model))
            with parquet_writer(file, vectors.schema, VECTORS_OPTIONS, provenance) as writer:
                writer.write_table(_of(vectors, model), row_group_size=ROW_GROUP_VECTORS)
        for table in WHOLE:
            rows = pq.ParquetFile(embedded_file(table)).read()
            write_table(change.file(f"{table}/{table}.parquet"), rows, provenance)
        change.publish()
    with writing(lake):
        store_places(lake)
    return lake


def _is_older(lake: Lake, provenance: dict[str, str]) -> bool:
    """Whether the lake came from files that an earlier version shipped."""
    stored = next(lake.path.glob("norms/*/norms.parquet"), None)
    made = read_provenance(stored) if stored else {}
    return made.get("made_by") == provenance["made_by"] and made != provenance


def _packed(norms: pa.Table) -> pa.Table:
    """`vectors` of all models by one query, which knows one model: the model goes into the type and back."""
    types = pc.binary_join_element_wise(norms["model"], norms["ln_type"], SEPARATOR)
    together = norms.set_column(norms.schema.get_field_index("ln_type"), "ln_type", types)
    with tempfile.TemporaryDirectory() as folder:
        source, packed = Path(folder) / "norms.parquet", Path(folder) / "vectors.parquet"
        pq.write_table(together, source)
        pack_vectors(source, packed, {})
        vectors = pq.ParquetFile(packed).read()
    parts = pc.split_pattern(vectors["ln_type"], SEPARATOR)
    for column, part in (("model", 0), ("ln_type", 1)):
        at = vectors.schema.get_field_index(column)
        vectors = vectors.set_column(at, column, pc.list_element(parts, part))
    return vectors


def _of(rows: pa.Table, model: str) -> pa.Table:
    return rows.filter(pc.equal(rows["model"], model)).combine_chunks()
