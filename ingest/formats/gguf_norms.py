"""Turns the norms of a GGUF file back into those of the checkpoint: names, and values with 1 added.

llama.cpp gives the tensors of all families one set of names. `gguf_norms.toml` translates each into a name
that a checkpoint of the family has, and `tensor_names.py` does the rest, so that a model has the same
(layer, ln_type) in both formats. A norm in no table keeps its GGUF name.

Gemma and a few others multiply by (1 + w). Checkpoints and lakes hold w, but the converter stores 1 + w.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from math import prod
from pathlib import Path

import numpy as np

from ingest.formats.safetensors_header import Tensor
from ingest.formats.tensor_names import NormName, distinct, norm_name
from warehouse.rows import Floats


@dataclass(frozen=True)
class Family:
    """How some architectures differ from others; the fields are explained in `gguf_norms.toml`."""

    architectures: list[str] = field(default_factory=list)
    names: Mapping[str, str] = field(default_factory=dict)
    adds_one: bool = False
    adds: Mapping[str, float] = field(default_factory=dict)
    unchanged: list[str] = field(default_factory=list)


def family_of(architecture: str) -> Family:
    return tables()[1].get(architecture, Family())


@cache
def tables() -> tuple[dict[str, str], dict[str, Family]]:
    """The common names, and families by architecture."""
    tables = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    families = [Family(**entry) for entry in tables["families"]]
    return tables["common"], {name: family for family in families for name in family.architectures}


def name_gguf_norms(tensors: Iterable[Tensor], architecture: str) -> dict[str, NormName]:
    """The norms of a model by their GGUF names; no two have the same NormName."""
    found = list(tensors)
    if architecture == "falcon" and any(".attn_norm_2." in tensor.name for tensor in found):
        architecture = "falcon 40B"
    names = {**tables()[0], **family_of(architecture).names}
    return distinct({tensor.name: norm for tensor in found if (norm := _norm(tensor, names))})


def _norm(tensor: Tensor, names: Mapping[str, str]) -> NormName | None:
    """A tensor in a table is a norm whatever its shape: converters cut some into groups."""
    number = re.search(r"(?<=blk\.)[0-9]{1,4}(?=\.)", tensor.name)
    name = f"{tensor.name[: number.start()]}*{tensor.name[number.end() :]}" if number else tensor.name
    # a few are without .weight: Falcon-H1's ffn_norm, PLaMo 2's norms after its blocks
    module, last = (name, "weight") if name in names else name.rpartition(".")[::2]
    if module not in names:
        return norm_name(tensor)
    checkpoint = names[module].replace("*", number[0]) if number else names[module]
    return norm_name(Tensor(f"{checkpoint}.{last}", "F32", (prod(tensor.shape),), tensor.begin, tensor.end))


def added_to(tensor: str, architecture: str) -> float:
    """What the converter added to each value of a norm, by its GGUF name."""
    family = family_of(architecture)
    name = tensor.removesuffix(".weight")
    if not family.adds_one or name.endswith((".bias", *family.unchanged)):
        return 0.0
    return next((added for end, added in family.adds.items() if name.endswith(end)), 1.0)


def put_back(values: Floats, added: float) -> Floats:
    """Subtracts in float32, as it was added; 1 + w has rounded small w by up to 6e-8."""
    return values - np.float32(added) if added else values


def change_note(architecture: str) -> str | None:
    """What the format changed, for `models`."""
    family = family_of(architecture)
    if not family.adds_one:
        return None
    what = "w + 1 (after its blocks w + 1/5 and w + 1/5^1.5)" if family.adds else "w + 1"
    return f"GGUF stores norm weights w of {architecture} as {what}; put back to w"
