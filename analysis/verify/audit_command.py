"""`just audit`: counts first, then disagreements, then relatives that no declaration connects."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from analysis.lakes import announce
from analysis.rows import about_lake, show_json
from analysis.verify.audit import Audit, Family, audit
from analysis.verify.families import BY_CHANCE
from analysis.verify.verification import HIDES
from warehouse import VERSION
from warehouse.catalog.catalog import open_catalog
from warehouse.console.output import counted, remark, show
from warehouse.errors import UsageError
from warehouse.lake import existing_lake

SCHEMA = "normhouse-audit/1"
SHOWN = 5
OF_ONE_FAMILY = 2
COLUMNS = (
    *("model", "repo", "declared_base", "relation", "read_from", "answer", "relative", "z_eff", "needed_z"),
    *("by_chance", "verdict", "family", "family_models"),
)
AS_IN_VIEW = ("model", "repo", "relation", "read_from", "z_eff", "needed_z", "verdict")
SHORT_LIMITS = "The test has no direction, and finding no sign proves nothing; --json says more."
LIMITS = (
    "Norms were compared, and slices where both models have them. The test has no direction: a parent, a "
    f"child and a sibling look alike. No sign is no proof: {HIDES}. Among more than {BY_CHANCE:,} pairs of "
    "one width, sketches choose whom to compare: a relative that keeps little of the pattern may be missing, "
    "and `just nearest MODEL --all` compares every model. Of undeclared relatives, more is asked than of "
    "declared bases: less than 0.01 such pairs may be expected by chance in the whole lake."
)


def main(lake_name: str | None, path: Path | None, *, as_json: bool) -> int:
    lake = existing_lake(lake_name)
    with open_catalog(lake) as connection:
        announce(connection, lake, caution=False)
        found = audit(connection)
        about = about_lake(connection)
    if path is not None:
        _write(path, found)
    if as_json:
        show_json(object_of(found, about))
    else:
        show(*lines_of(found, lake.name, about["caution"]))
    return found.exit_code


def object_of(found: Audit, about: Mapping[str, Any]) -> dict[str, Any]:
    """Version 1 of our JSON; `audit.schema.json` beside this file describes it."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "exit_code": found.exit_code,
        "counts": {**found.counts, "undeclared relatives": found.undeclared},
        "declared": list(found.declared),
        "families": [
            {
                "name": family.name,
                "models": list(family.models),
                "undeclared": [vars(one) for one in family.undeclared],
            }
            for family in found.families
        ],
        "lake": dict(about),
        "limits": LIMITS,
    }


def lines_of(found: Audit, lake: str, caution: str | None) -> list[str]:
    apart = [family for family in found.families if family.undeclared]
    lines = [
        f"{lake}: {_declared(found)}, {counted(found.undeclared, 'undeclared relative')}",
        *([f"caution: {caution}"] if caution else []),
        f"families: {counted(len(found.families), 'group')} of models that share weight history",
    ]
    lines += _disagreements(found)
    if apart:
        lines += ["", "Share weight history with models to which no declaration connects them:"]
        lines += [line for family in apart[:SHOWN] for line in _family_lines(family, found.names)]
        if len(apart) > SHOWN:
            lines.append(
                f"  {counted(len(apart) - SHOWN, 'more family', 'more families')}: --csv or --json lists them"
            )
    return [*lines, "", SHORT_LIMITS]


def _declared(found: Audit) -> str:
    counts, declared = found.counts, len(found.declared)
    if not declared:
        return "no declared bases"
    if counts["base not in lake"] == declared:
        absent = {1: "which is not in the lake", 2: "neither is in the lake"}.get(
            declared, "none is in the lake"
        )
        return f"{counted(declared, 'declared base')}, {absent}"
    agreements = ", ".join(
        f"{count:,} {answer.replace('base not in lake', 'absent from the lake')}"
        for answer, count in counts.items()
        if count or answer == "not shown"
    )
    return f"{counted(declared, 'declared base')} ({agreements})"


def _disagreements(found: Audit) -> list[str]:
    rows = [row for row in found.declared if row["agreement"] == "not shown"]
    relatives = {one.model: one.relative for family in found.families for one in family.undeclared}
    lines = ["", "No sign of shared history with the declared base:"] if rows else []
    for row in rows[:SHOWN]:
        measured = f"z {row['z_eff']:+.1f} (threshold {row['needed_z']:.1f})"
        relative = relatives.get(row["model"])
        other = f"; it shares weight history with {found.names.get(relative, relative)}" if relative else ""
        lines.append(f"  {row['model']} declares {row['base']}: {measured}{other}")
    if len(rows) > SHOWN:
        lines.append(f"  {len(rows) - SHOWN:,} more: --csv or --json lists them")
    return lines


def _family_lines(family: Family, names: Mapping[str, str]) -> Iterator[str]:
    name = names.get(family.name, family.name)
    of_family = f"the family of {name} ({counted(len(family.models), 'model')})"
    for one in family.undeclared[:OF_ONE_FAMILY]:
        z = (
            f" (z {one.z_eff:.1f})"
            if one.z_eff is not None
            else " (identical norms)"
            if one.identical
            else ""
        )
        if one.relative is None:
            related = f"belongs to {of_family}"
        else:
            related = f"is related to {names.get(one.relative, one.relative)}{z}"
            if len(family.models) > 2:
                related += f", in {of_family}"
        yield f"  {one.model} {related}, and no declaration says so"
    if len(family.undeclared) > OF_ONE_FAMILY:
        yield f"  {len(family.undeclared) - OF_ONE_FAMILY:,} more in {of_family}"


def _write(path: Path, found: Audit) -> None:
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            rows = csv.DictWriter(file, COLUMNS, restval="")
            rows.writeheader()
            rows.writerows(_rows(found))
    except OSError as error:
        raise UsageError(f"cannot write {path} ({error.strerror}): choose another file") from error
    remark(f"wrote {path}")


def _rows(found: Audit) -> Iterator[dict[str, Any]]:
    """One row per declared base, then one per undeclared relative; disagreements first."""
    families: dict[str, Family] = {repo: family for family in found.families for repo in family.models}
    for row in sorted(found.declared, key=lambda row: row["agreement"] != "not shown"):
        family = families.get(row["repo"])
        yield {
            **{
                name: row[name]
                for name in ("model", "repo", "relation", "read_from", "z_eff", "needed_z", "verdict")
            },
            "declared_base": row["base"],
            "answer": row["agreement"],
            **_family(family),
        }
    for family in found.families:
        for one in family.undeclared:
            yield {
                "model": one.model,
                "repo": one.repo,
                "answer": "undeclared relative",
                "relative": one.relative,
                "z_eff": one.z_eff,
                "by_chance": one.by_chance,
                "verdict": "identical norms" if one.identical else "share weight history",
                **_family(family),
            }


def _family(family: Family | None) -> dict[str, object]:
    return {"family": family.name, "family_models": len(family.models)} if family else {}
