"""Real models inside installed packages: which there are (`models.toml`), and how they become a lake.

Their norms are written to folders that the ordinary ingest reads. The table `packaged_truth` says which of
them are related.
"""

from __future__ import annotations

import json
import shutil
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file

from ingest.formats.safetensors_header import Tensor
from ingest.formats.tensor_names import NormName, name_norms
from ingest.packaged.readers import Norms, read_norms
from ingest.pipeline import ingest_folder
from ingest.store_model import store_rows
from warehouse.errors import SourceError, UsageError, did_you_mean
from warehouse.paths import data_root

PROVENANCE = {"made_by": "python -m ingest packaged"}
STACKS = ("encoder", "decoder")
RELATED, UNRELATED, ONE_MODEL = "related", "unrelated", "one model"
# The names of a stack that becomes a model of its own; it has no cross-attention.
ALONE = {
    "input_layernorm": "model.layers.{layer}.input_layernorm",
    "post_attention_layernorm": "model.layers.{layer}.post_attention_layernorm",
    "post_feedforward_layernorm": "model.layers.{layer}.post_feedforward_layernorm",
    "final_norm": "model.norm",
    "embedding_norm": "word_embeddings_layernorm",
}


@dataclass(frozen=True)
class Packaged:
    """A model inside an installed package; the fields are explained in `models.toml`."""

    alias: str
    package: str
    version: str
    licence: str
    files: tuple[str, ...]
    format: str
    architecture: str
    family: str
    origin: str
    rename: Mapping[str, str] = field(default_factory=dict)
    stacks: bool = False
    sinusoids: tuple[str, ...] = ()
    repeats: str | None = None

    @property
    def pin(self) -> str:
        return f"{self.package}=={self.version}"


@dataclass(frozen=True)
class Part:
    """A whole model or one of its stacks: one model of the lake."""

    model: Packaged
    stack: str = ""
    """Empty for the whole model."""

    @property
    def alias(self) -> str:
        return f"{self.model.alias}_{self.stack}" if self.stack else self.model.alias

    @property
    def has_sinusoids(self) -> bool:
        return self.stack in self.model.sinusoids if self.stack else bool(self.model.sinusoids)


@dataclass(frozen=True)
class Family:
    """Whether the models of one family are related."""

    related: bool
    why: str


@cache
def packaged_models() -> dict[str, Packaged]:
    return {
        alias: Packaged(alias, **{key: _frozen(value) for key, value in entry.items()})
        for alias, entry in _table().items()
        if alias != "families"
    }


@cache
def families() -> dict[str, Family]:
    return {name: Family(**entry) for name, entry in _table()["families"].items()}


def parts(models: Iterable[Packaged]) -> Iterator[Part]:
    """Each model, followed by its stacks if it has two."""
    for model in models:
        yield Part(model)
        if model.stacks:
            yield from (Part(model, stack) for stack in STACKS)


def _frozen(value: Any) -> Any:  # noqa: ANN401
    return tuple(value) if isinstance(value, list) else value


def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_name("models.toml").read_text("utf-8"))


def truth_rows(models: Iterable[Packaged]) -> list[dict[str, object]]:
    """One row per two models of the lake, in alphabetical order."""
    ordered = sorted(parts(models), key=lambda part: part.alias)
    return [_row(one, other) for one, other in combinations(ordered, 2)]


def _row(one: Part, other: Part) -> dict[str, object]:
    relation, why = relation_of(one, other)
    return {
        "model_a": one.alias,
        "model_b": other.alias,
        "package_a": one.model.pin,
        "package_b": other.model.pin,
        "relation": relation,
        "both_sinusoidal": one.has_sinusoids and other.has_sinusoids,
        "repeated": relation != RELATED and bool(one.model.repeats or other.model.repeats),
        "why": why,
    }


def relation_of(one: Part, other: Part) -> tuple[str, str]:
    """Encoder and decoder of one model began with different weights but were trained together."""
    if one.model.family != other.model.family:
        return UNRELATED, f"{one.model.origin}; {other.model.origin}"
    if one.model == other.model:
        return ONE_MODEL, f"parts of one model: {one.model.origin}"
    family = families()[one.model.family]
    if family.related and one.stack != other.stack:
        return ONE_MODEL, f"parts of one model; {family.why}"
    return RELATED if family.related else UNRELATED, family.why


def ingest_packaged(aliases: Sequence[str], lake_name: str) -> int:
    """Ingests the named models (default: all) and their stacks; returns how many."""
    known = packaged_models()
    for alias in aliases:
        if alias not in known:
            raise UsageError(f"no packaged model {alias!r}: {did_you_mean(alias, known)}")
    models = [known[alias] for alias in aliases or known]
    folder = data_root() / ".packaged" / lake_name  # hidden from the list of lakes
    shutil.rmtree(folder, ignore_errors=True)
    for model in models:
        if model.format == "gguf":
            _link_files(folder / model.alias, model)
            continue
        norms = norms_of(model)
        for part in parts([model]):
            _write_folder(folder / part.alias, part, stack_of(norms, part.stack) if part.stack else norms)
    ingest_folder(folder, lake_name)
    store_rows(lake_name, "packaged_truth", truth_rows(models), PROVENANCE)
    return sum(1 for _ in parts(models))


def _link_files(folder: Path, model: Packaged) -> None:
    """For GGUF, which the ordinary ingest reads."""
    folder.mkdir(parents=True)
    for file in model.files:
        path = _installed(model, file)
        (folder / path.name).symlink_to(path)


def norms_of(model: Packaged) -> Norms:
    """The norms of an installed model, under names that ingest knows."""
    norms: Norms = {}
    for file in model.files:
        for name, values in read_norms(_installed(model, file), model.format).items():
            norms[_renamed(name, model)] = np.ascontiguousarray(values)
    if not norms:
        raise SourceError(f"{model.pin} has no norms in {', '.join(model.files)}: report it")
    return norms


def stack_of(norms: Norms, stack: str) -> Norms:
    """The norms of one stack, renamed as those of a model without another."""
    chosen = {}
    for name, (layer, ln_type) in _names(norms).items():
        if not ln_type.startswith(f"{stack}_"):
            continue
        kind = ln_type.removeprefix(f"{stack}_")
        module = ALONE.get(kind.removesuffix("_bias"))
        if module is not None:
            last = "bias" if kind.endswith("_bias") else "weight"
            chosen[f"{module.format(layer=layer)}.{last}"] = norms[name]
    return chosen


def _write_folder(folder: Path, part: Part, norms: Norms) -> None:
    model = part.model
    folder.mkdir(parents=True)
    facts = {"format": "pt", "package": model.pin, "licence": model.licence, "files": " ".join(model.files)}
    save_file(dict(sorted(norms.items())), folder / "model.safetensors", facts)
    layers = {name.layer for name in _names(norms).values() if name.layer >= 0}
    config = {
        "architectures": [model.architecture],
        "hidden_size": Counter(len(values) for values in norms.values()).most_common(1)[0][0],
        "num_hidden_layers": len(layers),
    }
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")


def _installed(model: Packaged, file: str) -> Path:
    try:
        found = distribution(model.package)
    except PackageNotFoundError:
        raise UsageError(f"{model.package} is not installed: run `uv sync --group real`") from None
    path = Path(str(found.locate_file(file)))
    if found.version != model.version or not path.is_file():
        raise UsageError(
            f"{model.package} {found.version} is installed, without {file} of {model.version}: "
            f"run `uv sync --group real --reinstall-package {model.package}`"
        )
    return path


def _renamed(name: str, model: Packaged) -> str:
    for prefix, replacement in model.rename.items():
        if name.startswith(prefix):
            return replacement + name.removeprefix(prefix)
    return name


def _names(norms: Norms) -> dict[str, NormName]:
    """The norms as ingest will name them."""
    return name_norms(Tensor(name, "F32", values.shape, 0, 0) for name, values in norms.items())
