"""Reads the norm vectors out of a model's safetensors files: index, headers, then the bytes of the norms.

Each shard costs one request for its header and one for each group of neighbouring norms. The index lists the
tensors of a shard, so the length of its header can be estimated and fetched in one read, together with norms
that follow it directly.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from ingest.concurrency import first_failure, together
from ingest.formats.dtypes import BITS, decode, is_rounded
from ingest.formats.safetensors_header import LENGTH_BYTES, Tensor, header_end, parse_header, shown
from ingest.formats.tensor_names import NormName, may_be_norm, name_norms, norm_name, projection
from ingest.metadata import Config, read_config, refuse_width
from ingest.model_files import (
    INDEX,
    LONGEST_NAME,
    SINGLE,
    ModelFiles,
    json_object,
    no_model,
    read_tensors,
    shard_map,
)
from ingest.origin_marks import marked_json
from warehouse.errors import FormatError
from warehouse.rows import DeclaredBase, Source, TensorRow, Vector


def is_scale(tensor: str) -> bool:
    """Whether a tensor is, by its name, the scale of a quantised norm or projection."""
    if "scale" not in tensor:  # a cheap test first: there are 60,000 names
        return False
    module, _, last = tensor.rpartition(".")
    beside = f"{module}.weight"
    return "scale" in last and (may_be_norm(beside) or projection(beside) is not None)


def refuse_scaled(tensors: Iterable[Tensor], indexed: Iterable[str], where: str) -> None:
    """Refuses F8 norms and projections with a scale, because nothing here multiplies by it."""
    found = list(tensors)
    quantised = {
        tensor.name for tensor in found if tensor.dtype.startswith("F8") and tensor.name.endswith(".weight")
    }
    if not quantised:
        return
    for scale in filter(is_scale, chain((tensor.name for tensor in found), indexed)):
        weight = f"{scale.rpartition('.')[0]}.weight"
        if weight in quantised:
            raise FormatError(
                f"{where}: {weight} is quantised to F8 and scaled by {scale}, so that its bytes are not its "
                f"values: take the model in BF16"
            )


# 97% of all headers on the hub fit (hub client's own figure); used where no index says what to expect.
UNKNOWN_HEADER_BYTES = 100_000
# `"":{"dtype":"BF16","shape":[4096,1408],"data_offsets":[4999999999,4999999999]},` without the name
ENTRY_BYTES = 78
# metadata, padding, and a few small F32 tensors that writers put first
SLACK_BYTES = 1_500
# Limit of what is read after a header in the same request: the width in a config may be wrong.
MOST_LEADING_BYTES = 4_000_000


@dataclass(frozen=True)
class Shard:
    """One file of a model, with its norms and the projections asked for.

    Other tensors are dropped: the headers of twelve models name 60,000.
    """

    name: str
    tensors: dict[str, Tensor]
    header_bytes: int
    # the longest side of any tensor, including dropped ones
    widest: int = 0
    marked: Source | None = None


@dataclass(frozen=True)
class Extract:
    """What was read of a model."""

    config: Config
    shards: list[Shard]
    vectors: list[Vector]
    # None if the size of a file is unknown
    file_bytes: int | None
    # set for GGUF only
    licence: str | None = None
    # base models that the file's own header names
    declared_bases: Sequence[DeclaredBase] = ()
    changed_by_format: str | None = None
    note: str = ""
    # what the marks in the files say (origin_marks.py)
    marked: Source | None = None

    @property
    def dtype(self) -> str | None:
        """The dtype of most norms."""
        counts = Counter(vector.row.dtype for vector in self.vectors)
        return counts.most_common(1)[0][0] if counts else None


async def extract_norms(
    files: ModelFiles,
    projections: Collection[int],
    on_shard: Callable[[int, int], None],
    is_wanted: Callable[[str], bool] = may_be_norm,
) -> Extract:
    """All norm vectors whose tensor name is wanted. Calls `on_shard(done, of)` after each shard."""
    with first_failure():
        async with asyncio.TaskGroup() as group:
            reading_config = group.create_task(read_config(files))
            reading_names = group.create_task(shard_names(files))
    config, tensors_of = reading_config.result(), reading_names.result()
    wanted = {
        name: tensors
        for name, tensors in tensors_of.items()
        if tensors is None or any(map(is_wanted, tensors)) or _has_projection(tensors, projections)
    }
    done = 0
    on_shard(0, len(wanted))

    async def one(name: str, tensors: Sequence[str] | None) -> tuple[Shard, dict[str, bytes]]:
        nonlocal done
        front = first_read_bytes(tensors, config.hidden_size or 0)
        result = await _read_shard(files, name, tensors or (), front, is_wanted, projections)
        done += 1
        on_shard(done, len(wanted))
        return result

    results = await together(one(name, tensors) for name, tensors in wanted.items())
    shards = [shard for shard, _ in results]
    if shards:
        refuse_width(config, max(shard.widest for shard in shards), files.where)
    indexed = [tensor for tensors in tensors_of.values() for tensor in tensors or ()]
    refuse_scaled([tensor for shard in shards for tensor in shard.tensors.values()], indexed, files.where)
    raw = {tensor: piece for _, pieces in results for tensor, piece in pieces.items()}
    return Extract(
        config=config,
        shards=shards,
        vectors=_vectors(files.where, shards, raw),
        file_bytes=total_bytes(files, tensors_of),
        marked=next((shard.marked for shard in shards if shard.marked), config.marked),
    )


def total_bytes(files: ModelFiles, names: Iterable[str]) -> int | None:
    sizes = [files.size(name) for name in names]
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


async def shard_names(files: ModelFiles) -> dict[str, list[str] | None]:
    """Shard files with their tensors; None without an index."""
    if INDEX in files.names:
        index = json_object(await files.whole(INDEX), f"{files.where}/{INDEX}")
        shards = shard_map(index, files.where)
        missing = sorted(shards.keys() - set(files.names))
        if missing:
            raise FormatError(
                f"{files.where}/{INDEX} names {missing[0]}, which is not there "
                f"({len(missing)} of {len(shards)} missing): fetch the whole model"
            )
        return dict(shards)
    if SINGLE in files.names:
        return {SINGLE: None}
    raise FormatError(f"{files.where} {no_model(files.names)}")


def _has_projection(tensors: Sequence[str], layers: Collection[int]) -> bool:
    if not layers:
        return False
    return any(matrix.layer in layers for name in tensors if (matrix := projection(name)))


async def _read_shard(
    files: ModelFiles,
    name: str,
    expected: Sequence[str],
    front_bytes: int,
    is_wanted: Callable[[str], bool],
    projections: Collection[int],
) -> tuple[Shard, dict[str, bytes]]:
    """One shard and the bytes of its norms."""

    def is_norm(tensor: Tensor) -> bool:
        return is_wanted(tensor.name) and norm_name(tensor) is not None

    def is_kept(tensor: Tensor) -> bool:
        return is_norm(tensor) or _has_projection([tensor.name], projections) or is_scale(tensor.name)

    shard, front = await read_header(files, name, expected, front_bytes, is_kept)
    return shard, await read_tensors(files, name, filter(is_norm, shard.tensors.values()), front)


async def read_header(
    files: ModelFiles,
    name: str,
    expected: Sequence[str],
    front_bytes: int,
    is_kept: Callable[[Tensor], bool],
) -> tuple[Shard, bytes]:
    """A shard with the tensors to keep, and all bytes read so far from the start of the file."""
    where = f"{files.where}/{name}"
    front, size = await files.front(name, front_bytes)
    end = header_end(front, size, where)
    if end > len(front):
        front += await files.range(name, len(front), end)
    tensors = parse_header(front[LENGTH_BYTES:end], size, where)
    absent = set(expected) - tensors.keys()
    if absent:
        raise FormatError(f"{where} lacks {min(absent)}, which the index says it has: fetch the model again")
    widest = max(chain.from_iterable(tensor.shape for tensor in tensors.values()), default=0)
    kept = {tensor.name: tensor for tensor in tensors.values() if is_kept(tensor)}
    refuse_names(kept, where)
    return Shard(name, kept, end, widest, marked_json(front[:end])), front


def refuse_names(tensors: Iterable[str], where: str) -> None:
    """Refuses unprintable names, because they are stored and shown in terminals and pages."""
    for name in tensors:
        if not name.isprintable() or len(name) > LONGEST_NAME:
            raise FormatError(
                f"{where} has the tensor {shown(name)}, whose name is not readable: do not use this model"
            )


def first_read_bytes(tensors: Sequence[str] | None, width: int) -> int:
    """How much to read so that one request returns the header and the norms directly after it."""
    if tensors is None:
        return UNKNOWN_HEADER_BYTES
    header = sum(len(name) for name in tensors) + ENTRY_BYTES * len(tensors)
    leading = 0
    for name in sorted(tensors):  # as writers order them
        if not may_be_norm(name):
            break
        leading += 1
    norms = min(leading * width * BITS["BF16"] // 8, MOST_LEADING_BYTES)
    return LENGTH_BYTES + header + SLACK_BYTES + norms


def _vectors(where: str, shards: Sequence[Shard], raw: dict[str, bytes]) -> list[Vector]:
    read = {name: (shard, shard.tensors[name]) for shard in shards for name in raw.keys() & shard.tensors}
    named = name_norms(tensor for _, tensor in read.values())
    return [_vector(where, *read[name], norm, raw[name]) for name, norm in named.items()]


def _vector(where: str, shard: Shard, tensor: Tensor, norm: NormName, raw: bytes) -> Vector:
    values = decode(tensor.dtype, raw, f"{where}: {tensor.name}")
    return Vector(tensor_row(shard, tensor, norm, hashlib.sha256(raw).hexdigest()), values)


def tensor_row(shard: Shard, tensor: Tensor, norm: NormName, sha256: str) -> TensorRow:
    return TensorRow(
        layer=norm.layer,
        ln_type=norm.ln_type,
        tensor=tensor.name,
        shard=shard.name,
        dtype=tensor.dtype,
        is_rounded=is_rounded(tensor.dtype),
        values=(tensor.end - tensor.begin) * 8 // BITS[tensor.dtype],
        byte_begin=tensor.begin,
        byte_end=tensor.end,
        sha256=sha256,
        header_bytes=shard.header_bytes,
    )
