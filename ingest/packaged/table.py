"""The models of `models.toml`, their stacks, and which of them are related (table `packaged_truth`)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

STACKS = ("encoder", "decoder")
RELATED, UNRELATED, ONE_MODEL = "related", "unrelated", "one model"


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
