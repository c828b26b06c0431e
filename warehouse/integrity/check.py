"""Compares a lake with what was written, table by table and value by value (`just check`).

For each model: sizes and digests of its files, the checksum of every page, its tables against the digests in
`models`, and each vector and slice against the sha256 of the bytes it was read from, where its dtype can be
restored. Vectors must match norms. Files of `models` and of the whole lake hold their own digest.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from warehouse.catalog.catalog import open_catalog
from warehouse.errors import LakeError
from warehouse.integrity.damage import damage_of_stem, without_row
from warehouse.integrity.inspection import refuse_malformed
from warehouse.lake import Lake, tensor_rows
from warehouse.paths import is_bundle, relative_file
from warehouse.rows import Floats, ModelRow
from warehouse.storage.bundles import iter_models, to_current_schema
from warehouse.storage.digests import VectorDigests, tensors_digest, vectors_in
from warehouse.storage.parquet import read_parquet, read_sealed
from warehouse.tables import CALIBRATION, SOME_MODELS, TABLES, WHOLE_LAKE

# tables that must fit each other
CHECKED = ("norms", "tensors", "vectors")

# What reading inconsistent tables can raise. A bug of ours may cause it, too; the model is reported either
# way.
UNFIT = (ArithmeticError, LookupError, TypeError, ValueError, pa.ArrowException)

# the columns that identify a matrix
SLICE = ("matrix", "layer", "expert")


@dataclass
class Checked:
    """The result of a check."""

    models: int = 0
    vectors: int = 0
    """Vectors equal to the bytes they were read from."""
    slices: int = 0
    """Slices equal to the bytes they were read from."""
    unlike: int = 0
    """Vectors and slices whose bytes cannot be restored: rounded, F8, changed by the format."""
    damaged: dict[str, str] = field(default_factory=dict)
    """By model, or by table where it is no model's: what is wrong."""


def check_lake(lake: Lake) -> Checked:
    """Check one snapshot of it, whatever is committed meanwhile."""
    if not lake.is_ours:
        refuse_malformed(lake)
    checked = Checked()
    lake = lake.pinned()
    for stem in lake.stems():
        wrong = damage_of_stem(lake, stem)
        try:
            if not wrong:
                _check_models(lake, stem, checked)
        except LakeError as error:
            wrong = str(error)
        except UNFIT as error:
            wrong = f"its tables do not fit together ({' '.join(str(error).split())})"
        if wrong:
            checked.damaged[_named(stem)] = wrong
    for stem, file in without_row(lake).items():
        gone = relative_file("models", stem)
        checked.damaged[_named(stem)] = f"{gone} is missing, without which {file} does not count"
    for path in _files_of_no_model(lake):
        try:
            read_sealed(path)
        except LakeError as error:
            checked.damaged[str(path.relative_to(lake.folder))] = str(error)
    if not checked.damaged:
        _check_catalog(lake, checked)
    return checked


def _named(stem: str) -> str:
    return f"bundle {stem}" if is_bundle(stem) else stem


def _check_models(lake: Lake, stem: str, checked: Checked) -> None:
    """Record the damaged models of a bundle, or a single model if it is damaged."""
    for row, rows in _models_of(lake, stem):
        checked.models += 1
        try:
            wrong = _wrong(lake, row, rows, checked)
        except LakeError as error:  # of its matrices and slices, which have files of their own
            wrong = str(error)
        if wrong:
            checked.damaged[row.model] = wrong


def _models_of(lake: Lake, stem: str) -> Iterator[tuple[ModelRow, Mapping[str, pa.Table]]]:
    """One model after the other, in the order of the files, so that each file is read once."""
    streams = {table: iter_models(lake.file(table, stem), table) for table in CHECKED}
    ahead = {table: next(stream, None) for table, stream in streams.items()}
    for row in to_current_schema("models", read_sealed(lake.file("models", stem))).to_pylist():
        rows = {}
        for table, stream in streams.items():
            found = ahead[table]
            is_its = found is not None and found[0] == row["model"]
            # some have no rows in some tables
            rows[table] = to_current_schema(table, found[1]) if found and is_its else TABLES[table].empty()
            if is_its:
                ahead[table] = next(stream, None)
        yield ModelRow(**row), rows
    if left := [table for table, found in ahead.items() if found]:
        raise LakeError(f"{lake.file(left[0], stem)} has rows of a model that is not there")


def _wrong(lake: Lake, row: ModelRow, rows: Mapping[str, pa.Table], checked: Checked) -> str:
    """The first error in the content of a model's tables, or an empty text."""
    tensors = tensor_rows(rows["tensors"])
    norms = rows["norms"]
    if row.norms_digest != _digest(norms):
        return "norms are not what was written"
    if row.tensors_digest != tensors_digest(tensors):
        return "tensors are not what was written"
    if _digest(norms) != _digest(_unpacked(rows["vectors"])):
        return "vectors do not fit norms"
    sources = {(one.layer, one.ln_type): one for one in tensors}
    if len(sources) < len(tensors):
        (layer, ln_type), _ = Counter((one.layer, one.ln_type) for one in tensors).most_common(1)[0]
        return f"{ln_type} of layer {layer} is of two tensors"
    for layer, ln_type, values in vectors_in(norms):
        source = sources.get((layer, ln_type))
        is_as_read = source is not None and not source.is_rounded and not row.changed_by_format
        raw = _raw(values, source.dtype) if source and is_as_read else None
        if raw is None:
            checked.unlike += 1
        elif hashlib.sha256(raw).hexdigest() != sources[layer, ln_type].sha256:
            return f"{ln_type} of layer {layer} is not what was read"
        else:
            checked.vectors += 1
    for table in SOME_MODELS:
        if lake.file(table, row.model).exists():
            found = read_parquet(lake.file(table, row.model))
            if table == "projections" and row.projections_digest not in (None, _digest(found)):
                return "projections are not what was written"
    return _wrong_slices(lake, row.model, checked)


def _wrong_slices(lake: Lake, model: str, checked: Checked) -> str:
    """The first slice whose rows are not those that were read."""
    described, stored = (lake.file(table, model) for table in ("slices", "slice_rows"))
    if not described.exists() and not stored.exists():
        return ""
    slices, rows = read_parquet(described), read_parquet(stored)
    for one in slices.to_pylist():
        of_it = [
            pc.is_null(rows[name]) if one[name] is None else pc.equal(rows[name], pa.scalar(one[name]))
            for name in SLICE
        ]
        weights = pc.list_flatten(rows.filter(reduce(pc.and_, of_it))["weights"]).to_numpy()
        if len(weights) != one["rows"] * one["columns"]:
            return f"rows of {one['tensor']} are missing in slice_rows"
        matrix = weights.reshape(one["rows"], one["columns"])
        # Where neurons are columns, the whole matrix was read; of a fused one, this is half.
        possible = [_raw(values, one["dtype"]) for values in (matrix, matrix.T)]
        if possible[0] is None or len(possible[0]) != one["bytes"]:
            checked.unlike += 1
        elif one["sha256"] not in {hashlib.sha256(raw).hexdigest() for raw in possible if raw}:
            return f"rows of {one['tensor']} in slice_rows are not what was read"
        else:
            checked.slices += 1
    return ""


def _digest(rows: pa.Table) -> str:
    digests = VectorDigests()
    digests.add_rows(rows)
    return digests.digest()


def _unpacked(vectors: pa.Table) -> pa.Table:
    """The rows of norms that vectors hold."""
    lengths = pc.list_value_length(vectors["weights"])
    at = np.repeat(np.arange(len(vectors)), lengths.to_numpy())
    columns = {name: vectors[name].take(pa.array(at)) for name in ("layer", "ln_type")}
    return pa.table({**columns, "value": pc.list_flatten(vectors["weights"])})


def _raw(values: Floats, dtype: str) -> bytes | None:
    """The bytes that values were read from, or None if they cannot be restored."""
    if dtype == "F32":
        return values.astype("<f4").tobytes()
    if dtype == "F16":
        return values.astype("<f2").tobytes()
    if dtype == "BF16":
        return (np.ascontiguousarray(values).view(np.uint32) >> 16).astype("<u2").tobytes()
    return None


def _files_of_no_model(lake: Lake) -> Iterator[Path]:
    for table in (*WHOLE_LAKE, *CALIBRATION):
        yield from sorted(lake.folder.glob(f"{table}/*.parquet"))


def _check_catalog(lake: Lake, checked: Checked) -> None:
    """The catalog can be queried and has exactly the models of the lake."""
    with open_catalog(lake) as connection:
        [(models,)] = connection.sql("select list(model order by model) from models").fetchall()
    if (models or []) != lake.model_names():
        checked.damaged["warehouse.duckdb"] = (
            "the catalog names other models: delete it, and the next command builds it again"
        )
