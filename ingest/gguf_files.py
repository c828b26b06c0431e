"""Finds the GGUF models among file names, and chooses one of several quantisations.

Norms are the same in every quantisation, and F32 in nearly all. So one file is chosen by a fixed rule and is
named in the output. A model may be split: name-00001-of-00003.gguf.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ingest.model_files import INDEX, SINGLE, ModelFiles, no_model
from warehouse.errors import FormatError

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
