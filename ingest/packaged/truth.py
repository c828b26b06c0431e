"""Which packaged models are related, pair by pair: the table `packaged_truth`, from `models.toml`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from ingest.packaged.table import Packaged, Part, families, parts

RELATED, UNRELATED, ONE_MODEL = "related", "unrelated", "one model"


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
    """Encoder and decoder of one model were trained together, from other weights: neither related nor not."""
    if one.model.family != other.model.family:
        return UNRELATED, f"{one.model.origin}; {other.model.origin}"
    if one.model == other.model:
        return ONE_MODEL, f"parts of one model: {one.model.origin}"
    family = families()[one.model.family]
    if family.related and one.stack != other.stack:
        return ONE_MODEL, f"parts of one model; {family.why}"
    return RELATED if family.related else UNRELATED, family.why
