"""Digests of files and rows, with which `just check` finds damage.

`models` has the size and sha256 of each file of a model, and digests of the content of its tables, which
are the same for the same rows in a single file or a bundle. Files whose digest no other file holds are
sealed: they hold the sha256 of their own bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import astuple
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # Arrow takes long to import
    import pyarrow as pa

    from warehouse.rows import Floats, StoredFile, TensorRow, Vector

SEAL = "normhouse.sha256"
"""The key in a file's metadata; its value is UNSEALED while the digest is taken."""

UNSEALED = "0" * 64

# The key as Thrift writes it, and after it the type of the next field, a text, and its length.
SEALED = SEAL.encode() + bytes((0x18, len(UNSEALED)))


class VectorDigests:
    """The digest of `norms` or `projections` of one model, fed in pieces: each vector in dim order.

    A vector enters with its type, layer, number of values and the sha256 of its values, FLOAT and
    little-endian.
    """

    def __init__(self) -> None:
        self._vectors: dict[tuple[str, int], tuple[int, Any]] = {}

    def add(self, layer: int, ln_type: str, values: Floats) -> None:
        count, digest = self._vectors.get((ln_type, layer)) or (0, hashlib.sha256())
        digest.update(values.astype("<f4", copy=False).tobytes())
        self._vectors[ln_type, layer] = (count + len(values), digest)

    def add_rows(self, rows: pa.Table) -> None:
        """Rows of the table, in its order."""
        for layer, ln_type, values in vectors_in(rows):
            self.add(layer, ln_type, values)

    def digest(self) -> str:
        return _digest(
            f"{ln_type}\t{layer}\t{count}\t{digest.hexdigest()}"
            for (ln_type, layer), (count, digest) in sorted(self._vectors.items())
        )


def norms_digest(vectors: Iterable[Vector]) -> str:
    """The digest of the norms of one model."""
    digests = VectorDigests()
    for vector in vectors:
        digests.add(vector.row.layer, vector.row.ln_type, vector.values)
    return digests.digest()


def vectors_in(rows: pa.Table) -> Iterator[tuple[int, str, Floats]]:
    """Layer, type and values of each vector of one model, from rows in the order of `norms`."""
    import numpy as np

    types = rows["ln_type"].combine_chunks().dictionary_encode()
    codes, names = types.indices.to_numpy(), types.dictionary.to_pylist()
    layers, values = rows["layer"].to_numpy(), rows["value"].to_numpy()
    ends = np.flatnonzero((np.diff(codes) != 0) | (np.diff(layers) != 0)) + 1
    for begin, end in pairwise([0, *ends, len(values)] if len(values) else [0]):
        yield int(layers[begin]), names[codes[begin]], values[begin:end]


def stored_file(relative: str, path: Path) -> StoredFile:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"file": relative, "bytes": path.stat().st_size, "sha256": digest}


def seal(path: Path) -> None:
    """Write the sha256 of a file into its metadata, in place of UNSEALED."""
    content = path.read_bytes()
    at = _seal_at(content)
    with path.open("r+b") as file:
        file.seek(at)
        file.write(hashlib.sha256(content).hexdigest().encode())


def is_sealed(content: bytes) -> bool:
    """Whether these are exactly the bytes that were sealed."""
    at = _seal_at(content)
    if at < 0:
        return False
    end = at + len(UNSEALED)
    unsealed = b"".join((content[:at], UNSEALED.encode(), content[end:]))
    return content[at:end] == hashlib.sha256(unsealed).hexdigest().encode()


def _seal_at(content: bytes) -> int:
    """Where the digest begins, or -1. A Parquet file ends with its metadata, so the last match is the key."""
    found = content.rfind(SEALED)
    return found + len(SEALED) if found >= 0 else -1


def tensors_digest(rows: Iterable[TensorRow]) -> str:
    """The digest of the rows of `tensors` of one model."""
    ordered = sorted(rows, key=lambda row: (row.ln_type, row.layer))
    return _digest("\t".join(map(str, astuple(row))) for row in ordered)


def _digest(lines: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()
