"""Rows of tables as the code that fills them passes them around; tables.toml declares the tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Source = Literal["hub", "local", "replica", "toy"]
SliceMatrix = Literal["embedding", "gate", "up"]
Floats: TypeAlias = "npt.NDArray[np.float32]"

NO_LAYER = -1
"""The layer of vectors that belong to no layer, such as the final norm."""


class StoredFile(TypedDict):
    """One entry of `models.files`; the path is below the lake."""

    file: str
    bytes: int
    sha256: str


class DeclaredBase(TypedDict):
    """One entry of `models.declared_bases`: a base model as the model's own documents name it."""

    base: str
    # finetune, adapter, merge or quantized, as written; None where nothing is said
    relation: str | None
    read_from: str


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
    # what was written (warehouse/storage/digests.py)
    norms_digest: str | None = None
    tensors_digest: str | None = None
    projections_digest: str | None = None
    files: list[StoredFile] | None = None
    declared_bases: list[DeclaredBase] | None = None


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
