"""A lake of the made-up population, written without a hub, and the truth about who was made from whom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from analysis.verify.audit import Audit
from ingest.origin_marks import replica_commit
from ingest.replica.population import LAYERS, WIDTH, Member, declared_base, member_of, norms_of
from tests.bench.families import Norms
from tests.bench.gathered import gathered
from tests.sql.lakes import model_row
from warehouse.lake import Lake
from warehouse.rows import DeclaredBase, ModelRow


def population_lake(path: Path, count: int) -> Lake:
    return gathered(path, _members(count))


def _members(count: int) -> Iterator[tuple[ModelRow, Norms]]:
    """In order of their names, as a compaction leaves them."""
    for member in sorted((member_of(number, count) for number in range(count)), key=lambda one: one.name):
        norms = {_place(tensor): values for tensor, values in norms_of(member).items()}
        yield row_of(member), norms


def _place(tensor: str) -> tuple[int, str]:
    """`model.layers.3.input_layernorm.weight` or `model.norm.weight`"""
    _, _, *layer, kind, _ = ("", *tensor.split("."))
    return (int(layer[-1]), kind) if layer[1:] else (-1, "final_norm")


def row_of(member: Member) -> ModelRow:
    base = declared_base(member)
    declared: list[DeclaredBase] = (
        [{"base": base, "relation": "finetune", "read_from": "hub metadata"}] if base else []
    )
    return replace(
        model_row(member.name.replace("/", "--"), "replica"),
        repo=member.name,
        commit=replica_commit(member.name),
        hidden_size=WIDTH,
        layers=LAYERS,
        declared_bases=declared or None,
    )


def truth_of(count: int) -> dict[str, set[object]]:
    """What an audit must find: declarations that fit, families, and who is in one without declaring it."""
    members = [member_of(number, count) for number in range(count)]
    families: dict[int, list[Member]] = {}
    for member in members:
        families.setdefault(member.number if member.base is None else member.base, []).append(member)
    truthful = {member.name for member in members if _declares(member) == "truly"}
    undeclared: set[object] = set()
    for family in families.values():
        repos = {member.name for member in family}
        if repos & truthful:
            undeclared |= {member.name for member in family if member.base is not None} - truthful
        elif len(family) > 1:  # nobody says who is the base
            undeclared |= repos - {min(repos)}
    return {
        "consistent": {*truthful},
        "not shown": {member.name for member in members if _declares(member) == "wrongly"},
        "cannot tell": set(),
        "families": {
            frozenset(member.name for member in family) for family in families.values() if len(family) > 1
        },
        "undeclared": undeclared,
    }


def summary(found: Audit) -> dict[str, set[object]]:
    """What an audit found, as `truth_of` has it."""
    return {
        **{
            agreement: {row["repo"] for row in found.declared if row["agreement"] == agreement}
            for agreement in ("consistent", "not shown", "cannot tell")
        },
        "families": {frozenset(family.models) for family in found.families},
        "undeclared": {one.repo for family in found.families for one in family.undeclared},
    }


def _declares(member: Member) -> str:
    declared = declared_base(member)
    if declared is None:
        return "nothing"
    return "truly" if member.base is not None and declared == Member(member.base, None).name else "wrongly"
