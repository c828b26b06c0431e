"""The tables of a lake: what one row is, and each column's type, in the order readers see them.

Every table is a folder of Parquet files below the lake; tables that grow by model have a file a model
(`norms/solar.parquet`). `model` stands inside the file, so that a file copied alone keeps it. No
folder is named `model=solar`: Arrow makes a column of that, of another type than the stored one, and refuses.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypedDict

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Source = Literal["hub", "local", "replica", "toy"]
Floats = npt.NDArray[np.float32]

NO_LAYER = -1
"""The layer of what belongs to no layer: the final norm, the embedding norm."""

# one row per value
NORMS = pa.schema(
    [
        ("model", pa.string()),
        ("layer", pa.int16()),
        ("ln_type", pa.string()),
        ("dim", pa.int32()),
        ("value", pa.float32()),
    ]
)

# one row per value of a k_proj or v_proj matrix; dim is the flat index, row by row
PROJECTIONS = NORMS

# one row per norm of a model whose dimensions have a place: its ranks without their smooth part
DETRENDED_RANKS = pa.schema(
    [
        ("model", pa.string()),
        ("kind", pa.string()),
        ("layer", pa.int16()),
        ("ln_type", pa.string()),
        ("d", pa.int32()),
        ("detrended_ranks", pa.list_(pa.float32())),
    ]
)

# one row per model
MODELS = pa.schema(
    [
        ("model", pa.string()),
        ("repo", pa.string()),
        ("commit", pa.string()),
        ("source", pa.string()),
        ("endpoint", pa.string()),
        ("licence", pa.string()),
        ("architecture", pa.string()),
        ("hidden_size", pa.int32()),
        ("layers", pa.int16()),
        ("mtp_layers", pa.int16()),
        ("dtype", pa.string()),
        ("file_bytes", pa.int64()),
        ("ingested_at", pa.timestamp("s", tz="UTC")),
        ("tool_version", pa.string()),
        ("vocab_size", pa.int32()),
        ("changed_by_format", pa.string()),
        ("renamed_to", pa.string()),
        ("registry_repo", pa.string()),
        ("norms_digest", pa.string()),
        ("tensors_digest", pa.string()),
        ("projections_digest", pa.string()),
        (
            "files",
            pa.list_(pa.struct([("file", pa.string()), ("bytes", pa.int64()), ("sha256", pa.string())])),
        ),
    ]
)

# one row per model that has the norms of another and was not stored again: its row of `models`, but for
# what is about stored tables
DUPLICATES = pa.schema(
    [
        field
        for field in MODELS
        if field.name not in ("registry_repo", "tensors_digest", "projections_digest", "files")
    ]
)

# one row per vector: where its bytes stand in the model's files
TENSORS = pa.schema(
    [
        ("model", pa.string()),
        ("layer", pa.int16()),
        ("ln_type", pa.string()),
        ("tensor", pa.string()),
        ("shard", pa.string()),
        ("dtype", pa.string()),
        ("is_rounded", pa.bool_()),
        ("values", pa.int64()),
        ("byte_begin", pa.int64()),
        ("byte_end", pa.int64()),
        ("sha256", pa.string()),
        ("header_bytes", pa.int64()),
    ]
)

SliceMatrix = Literal["embedding", "gate", "up"]

# one row per matrix, or half of a fused one, that rows were read from
SLICES = pa.schema(
    [
        ("model", pa.string()),
        ("matrix", pa.string()),
        ("layer", pa.int16()),
        ("expert", pa.string()),
        ("tensor", pa.string()),
        ("shard", pa.string()),
        ("dtype", pa.string()),
        ("rows", pa.int32()),
        ("tensor_rows", pa.int32()),
        ("columns", pa.int32()),
        ("bytes", pa.int64()),
        ("sha256", pa.string()),
    ]
)

# one row per row of such a matrix
SLICE_ROWS = pa.schema(
    [
        ("model", pa.string()),
        ("matrix", pa.string()),
        ("layer", pa.int16()),
        ("expert", pa.string()),
        ("row", pa.int32()),
        ("anchor", pa.string()),
        ("weights", pa.list_(pa.float32())),
    ]
)


class StoredFile(TypedDict):
    """One entry of `models.files`; the path is below the lake."""

    file: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class ModelRow:
    """One row of `models`; None where the source does not say."""

    model: str
    repo: str
    commit: str
    source: Source
    endpoint: str | None
    licence: str | None
    architecture: str | None
    hidden_size: int | None
    layers: int | None
    mtp_layers: int | None
    dtype: str | None
    file_bytes: int | None
    ingested_at: datetime
    tool_version: str
    vocab_size: int | None = None
    changed_by_format: str | None = None
    renamed_to: str | None = None
    # the registry's repo of this alias, if it was read there, at a hub; claims are judged of such only
    registry_repo: str | None = None
    # what was written (warehouse/storage/digests.py); None of a lake that an earlier version wrote
    norms_digest: str | None = None
    tensors_digest: str | None = None
    projections_digest: str | None = None
    files: list[StoredFile] | None = None


@dataclass(frozen=True)
class TensorRow:
    """One row of `tensors` but for the model; byte range counted from the start of the shard file."""

    layer: int
    ln_type: str
    tensor: str
    shard: str
    dtype: str
    is_rounded: bool
    values: int
    byte_begin: int
    byte_end: int
    sha256: str
    # of the shard: its length bytes and its JSON, where the tensors' bytes begin
    header_bytes: int | None = None


@dataclass(frozen=True)
class SliceRow:
    """One row of `slices` but for the model."""

    matrix: SliceMatrix
    layer: int
    # None in a dense layer, `shared`, or the number of a routed one
    expert: str | None
    tensor: str
    shard: str
    dtype: str
    rows: int
    # neurons or tokens there are, of which `rows` were read
    tensor_rows: int
    columns: int
    bytes: int
    # of the bytes read, row after row
    sha256: str


@dataclass(frozen=True)
class Vector:
    """One norm vector: its row of `tensors` and its values in dim order."""

    row: TensorRow
    values: Floats
