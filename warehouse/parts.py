"""Parts: many models in one file a table, as `just compact` leaves them (warehouse/compact.py).

    <table>/<model>/<table>.parquet     a model by itself, as ingest writes it
    <table>/00007/<table>.parquet       a part; models' names begin with a letter, parts are numbers

A part is never changed: one that loses or gains a model is written anew under another number. So a part's
name says what it holds, and what was read of it once stays true.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from warehouse.digests import stored_file
from warehouse.errors import LakeError
from warehouse.parquet import PREFIX, damaged

# Tables that are gathered; matrices and slices stay by themselves.
GATHERED = ("models", "norms", "tensors", "vectors", "rough_norms", "correlations", "sketches")

FILES = "files"
"""Where a part's file of `models` has the sizes and digests of its other files."""


@lru_cache(maxsize=256)
def models_in(file: Path, _changed_at: int) -> dict[str, int]:
    """The models of a part, by its file of `models`, and the row that each has there."""
    return {name: row for row, name in enumerate(_read(file, columns=["model"])["model"].to_pylist())}


def model_row(file: Path, row: int) -> dict[str, Any]:
    """One row of a part's file of `models`."""
    found: dict[str, Any] = _read(file).slice(row, 1).to_pylist()[0]
    return found


def rows_of(file: Path, model: str) -> pa.Table:
    """The rows of one model in a part; row groups of others are not read."""
    try:
        return pq.read_table(file, filters=pc.field("model") == model, page_checksum_verification=True)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise damaged(file, " ".join(str(error).split())) from error


def damage_of_part(lake_path: Path, part: str, *, thorough: bool = False) -> str:
    """The first file of a part that is missing, cut short or, if asked thoroughly, not what was written."""
    file = lake_path / f"models/{part}/models.parquet"
    try:
        known = json.loads((pq.read_metadata(file).metadata or {})[f"{PREFIX}{FILES}".encode()])
    except (OSError, KeyError, ValueError, pa.ArrowException):
        return f"models/{part}/models.parquet cannot be read"
    for one in known:
        path = lake_path / one["file"]
        if not path.exists():
            return f"{one['file']} is missing"
        if (size := path.stat().st_size) != one["bytes"]:
            return f"{one['file']} has {size:,} bytes, not {one['bytes']:,}"
        if thorough and stored_file(one["file"], path) != one:
            return f"{one['file']} is not what was written"
    return ""


def _read(file: Path, columns: list[str] | None = None) -> pa.Table:
    try:
        return pq.ParquetFile(file, page_checksum_verification=True).read(columns=columns)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise LakeError(
            f"{file} is damaged ({' '.join(str(error).split())}): its models cannot be told; put "
            f"a copy there, or delete the folder {file.parent.name} of every table and ingest its models anew"
        ) from error
