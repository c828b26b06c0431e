"""Reads the norm vectors out of a model's GGUF files: chooses the file, then reads headers and norms.

Norms are the same in every quantisation, and F32 in nearly all. So one file is chosen by a fixed rule and is
named in the output. A model may be split: name-00001-of-00003.gguf.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from ingest.concurrency import together
from ingest.extract import Extract, Shard, refuse_names, tensor_row, total_bytes
from ingest.formats.dtypes import DECODABLE, decode
from ingest.formats.gguf_cursor import AHEAD_BYTES
from ingest.formats.gguf_header import TOKENS, GgufHeader, parse_gguf
from ingest.formats.gguf_norms import added_to, change_note, name_gguf_norms, put_back
from ingest.metadata import MOST, MOST_LAYERS, Config, bases_of_gguf, printable
from ingest.model_files import INDEX, SINGLE, ModelFiles, no_model, read_tensors
from ingest.origin_marks import marked_gguf
from warehouse.errors import FormatError
from warehouse.rows import Vector

ENDING = ".gguf"
PART = re.compile(r"(.+)-([0-9]{5})-of-([0-9]{5})")
# Image projectors, quantisation statistics, prediction heads and adapters are often stored beside models.
NO_MODEL = re.compile(r"mmproj|imatrix|adapter|(?<![a-z])lora(?![a-z])|(?:^|/)mtp-", re.IGNORECASE)
# what ends a name: Q4_K_M, IQ2_XXS, UD-Q4_K_XL, i1-Q4_0, TQ1_0, MXFP4_MOE, BF16, fp16 …
QUANTISATION = re.compile(
    r"(?:^|[-_.])(?:(?:ud|i1|imat)[-_.])?(?:I?Q[0-9]\w*|TQ[0-9]\w*|MXFP4\w*|NVFP4\w*|B?F16|FP16|FP?32)$",
    re.IGNORECASE,
)
UNQUANTISED = re.compile(r"(?:^|[-_./])(?:B?F16|FP16|FP?32)$", re.IGNORECASE)


@dataclass(frozen=True)
class GgufModel:
    """One model in one quantisation: a file, or all parts of a split file in order."""

    name: str
    files: tuple[str, ...]

    @property
    def base(self) -> str:
        """The name without the quantisation."""
        return QUANTISATION.sub("", self.name) or self.name


def holds_gguf(names: Iterable[str]) -> bool:
    """Whether a place has GGUF files and no safetensors model, which would be read instead."""
    found = set(names)
    return not has_safetensors(found) and any(name.endswith(ENDING) for name in found)


def has_safetensors(names: Collection[str]) -> bool:
    return INDEX in names or SINGLE in names


def gguf_models(names: Iterable[str]) -> list[GgufModel]:
    """All complete models, by name; files such as projectors only if there is nothing else."""
    parts: dict[tuple[str, int], dict[int, str]] = {}
    found = sorted(name for name in names if name.endswith(ENDING))
    for name in [name for name in found if not NO_MODEL.search(name)] or found:
        stem = name.removesuffix(ENDING)
        part = PART.fullmatch(stem)
        model, number, of = (part[1], int(part[2]), int(part[3])) if part else (stem, 1, 1)
        parts.setdefault((model, of), {})[number] = name
    return [
        GgufModel(model, tuple(files[number] for number in sorted(files)))
        for (model, of), files in parts.items()
        if sorted(files) == list(range(1, of + 1))
    ]


def chosen_model(files: ModelFiles) -> tuple[GgufModel, int]:
    """The model to read, and of how many: an unquantised one first, then the largest, then by name."""
    models = gguf_models(files.names)
    if not models:
        raise FormatError(f"{files.where} {nothing_complete(files.names)}")

    def rank(model: GgufModel) -> tuple[bool, int, str]:
        size = sum(files.size(name) or 0 for name in model.files)
        return UNQUANTISED.search(model.name) is None, -size, model.name

    return min(models, key=rank), len(models)


def nothing_complete(names: Sequence[str]) -> str:
    """Why there is no model among these files, as the end of a message."""
    part = next((name for name in names if PART.fullmatch(name.removesuffix(ENDING))), None)
    if part:
        return f"has {part}, but not all of its parts: fetch the whole model"
    return no_model(names)


# A vocabulary of 32,000 makes a header of 0.7 MB, one of 150,000 about 6 MB.
FIRST_READ_BYTES = 1_000_000
# Only the first part of a split model has the vocabulary.
PART_READ_BYTES = AHEAD_BYTES


async def extract_gguf(files: ModelFiles, on_shard: Callable[[int, int], None]) -> Extract:
    """All norm vectors of one GGUF model among these files. Calls `on_shard(done, of)` with parts."""
    model, of = chosen_model(files)
    on_shard(0, len(model.files))
    parts = await together(
        _read_header(files, name, PART_READ_BYTES if number else FIRST_READ_BYTES)
        for number, name in enumerate(model.files)
    )
    headers = [header for header, _ in parts]
    where = f"{files.where}/{model.files[0]}"
    architecture = _architecture(headers[0], where)
    _check_parts(model, headers, files.where)

    tensors = {tensor.name: tensor for header in headers for tensor in header.tensors.values()}
    named = name_gguf_norms(tensors.values(), architecture)
    refuse_names(named, where)
    for name in named:
        if tensors[name].dtype not in DECODABLE:
            raise FormatError(
                f"{where}: norm {name} is stored as {tensors[name].dtype}, which does not keep its values: "
                f"take a file of this model whose norms are F32 or F16"
            )
    shards = [
        Shard(name, {key: one for key, one in header.tensors.items() if key in named}, header.data_begin)
        for name, header in zip(model.files, headers, strict=True)
    ]
    raws = await together(
        read_tensors(files, shard.name, shard.tensors.values(), front)
        for shard, (_, front) in zip(shards, parts, strict=True)
    )
    on_shard(len(shards), len(shards))

    vectors = []
    for shard, raw in zip(shards, raws, strict=True):
        for name, piece in raw.items():
            row = tensor_row(shard, shard.tensors[name], named[name], hashlib.sha256(piece).hexdigest())
            values = decode(row.dtype, piece, f"{where}: {name}")
            vectors.append(Vector(row, put_back(values, added_to(name, architecture))))
    return Extract(
        config=_config(headers[0], architecture, where),
        shards=shards,
        vectors=vectors,
        file_bytes=total_bytes(files, model.files),
        licence=printable(headers[0].text("general.license")),
        declared_bases=bases_of_gguf(headers[0]),
        changed_by_format=change_note(architecture),
        note=f"from {model.files[0]}" + (f", one of {of} GGUF models there" if of > 1 else ""),
        marked=next(
            (source for header, front in parts if (source := marked_gguf(front[: header.data_begin]))), None
        ),
    )


async def _read_header(files: ModelFiles, name: str, first: int) -> tuple[GgufHeader, bytes]:
    """The header, and all bytes read so far from the start of the file."""
    front, size = await files.front(name, first)
    while isinstance(header := parse_gguf(front, size, f"{files.where}/{name}"), int):
        front += await files.range(name, len(front), header)
    return header, front


def _architecture(header: GgufHeader, where: str) -> str:
    kind = header.text("general.type") or "model"
    architecture = header.text("general.architecture")
    if kind == "adapter":
        raise FormatError(
            f"{where} is an adapter, which has no norms of its own: ingest the model that it was made for"
        )
    if kind != "model" or architecture == "clip":
        raise FormatError(
            f"{where} is a part of a language model ({kind if kind != 'model' else architecture}): "
            f"give the model's own file"
        )
    if not architecture:
        raise FormatError(f"{where} does not say its architecture: convert the model again")
    return architecture


def _check_parts(model: GgufModel, headers: Sequence[GgufHeader], where: str) -> None:
    """Checks that the parts belong to one split, in this order, and hold each tensor once."""
    for number, (name, header) in enumerate(zip(model.files, headers, strict=True)):
        said = header.count("split.no") or 0, header.count("split.count") or len(headers)
        if said != (number, len(headers)):
            raise FormatError(
                f"{where}/{name} says it is part {said[0] + 1} of {said[1]}, "
                f"not {number + 1} of {len(headers)}: fetch all parts under their own names"
            )
    names = [name for header in headers for name in header.tensors]
    expected = headers[0].count("split.tensors.count") or len(names)
    if len(set(names)) != expected or len(names) != expected:
        raise FormatError(
            f"{where}/{model.files[0]} says that its parts have {expected} tensors, but they have "
            f"{len(names)}, {len(set(names))} of them different: fetch all parts again"
        )


def _config(header: GgufHeader, architecture: str, where: str) -> Config:
    """What a checkpoint's config.json would say."""

    def size(key: str, most: int = MOST) -> int | None:
        number = header.count(f"{architecture}.{key}")
        if number is not None and number > most:
            raise FormatError(f"{where} claims {architecture}.{key} {number:,}: convert the model again")
        return number

    blocks, predicting = size("block_count", MOST_LAYERS), size("nextn_predict_layers", MOST_LAYERS) or 0
    return Config(
        architecture=printable(architecture),
        hidden_size=size("embedding_length"),
        # block_count includes blocks that predict further tokens
        layers=None if blocks is None else max(blocks - predicting, 0),
        mtp_layers=predicting,
        vocab_size=size("vocab_size") or header.count(TOKENS),
    )
