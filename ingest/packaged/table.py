"""The models of `models.toml`, and what becomes a model of the lake: each, and each of its stacks."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

STACKS = ("encoder", "decoder")


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
    """What becomes a model of the lake."""

    model: Packaged
    stack: str = ""
    """Empty for the whole."""

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
    """Each model, and behind it its stacks if it has two."""
    for model in models:
        yield Part(model)
        if model.stacks:
            yield from (Part(model, stack) for stack in STACKS)


def _frozen(value: Any) -> Any:  # noqa: ANN401
    return tuple(value) if isinstance(value, list) else value


def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_name("models.toml").read_text("utf-8"))
