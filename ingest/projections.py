"""Streams k_proj and v_proj matrices into the table `projections`.

The documents compare them in addition to the norms. Matrices have millions of values, so none is kept whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence

from ingest.concurrency import in_thread
from ingest.extract import Shard, tensor_row
from ingest.formats.dtypes import BITS, decode
from ingest.formats.safetensors_header import Tensor
from ingest.formats.tensor_names import NormName, distinct, projection
from ingest.model_files import ModelFiles, read_ahead
from warehouse.rows import TensorRow
from warehouse.storage.parquet import ProjectionsWriter

# 2 MB in BF16
PIECE_VALUES = 1_048_576

Matrix = tuple[NormName, Shard, Tensor]
"""Layer and kind, the shard, and the place in the shard."""


def find_projections(shards: Sequence[Shard], layers: Collection[int]) -> list[Matrix]:
    """The k_proj and v_proj matrices of these layers with their shards, in table order."""
    if not layers:
        return []
    places = {tensor.name: (shard, tensor) for shard in shards for tensor in shard.tensors.values()}
    found = {name: matrix for name in places if (matrix := projection(name)) and matrix.layer in layers}
    named = [(matrix, *places[name]) for name, matrix in distinct(found).items()]
    return sorted(named, key=lambda entry: (entry[0].ln_type, entry[0].layer))


async def write_projections(
    files: ModelFiles, found: Sequence[Matrix], writer: ProjectionsWriter
) -> list[TensorRow]:
    """Streams the matrices into the writer and returns their rows of `tensors`."""
    rows = []
    for matrix, shard, tensor in found:
        digest = hashlib.sha256()
        dim = 0
        step = PIECE_VALUES * BITS[tensor.dtype] // 8
        begins = range(tensor.begin, tensor.end, step)
        ranges = ((shard.name, begin, min(begin + step, tensor.end)) for begin in begins)
        async for raw in read_ahead(files, ranges):
            digest.update(raw)
            values = decode(tensor.dtype, raw, f"{files.where}: {tensor.name}")
            await in_thread(writer.write, matrix.layer, matrix.ln_type, dim, values)
            dim += len(values)
        rows.append(tensor_row(shard, tensor, matrix, digest.hexdigest()))
    return rows
