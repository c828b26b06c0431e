"""`just calibrate`: how often the lineage test is wrong, on a zoo whose ancestry is known."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from analysis.lakes import TRAINED_LAKE, announce, trained_lake
from analysis.lineage.rates import (
    TABLES,
    Rate,
    answers,
    counted,
    error_rates,
    known_pairs,
    rate_called,
)
from analysis.lineage.show import wrapped
from analysis.rows import about_lake, show_json
from warehouse import VERSION
from warehouse.catalog.catalog import fingerprint_of, open_catalog
from warehouse.catalog.definitions import SQL
from warehouse.console.output import show
from warehouse.lake import Lake, existing_lake
from warehouse.storage.commit import FOREVER, new_commit, write_lock
from warehouse.storage.parquet import read_parquet, read_provenance, write_table

# What a calibration must show before the verdict's words may be used.
MEAN_WITHIN = 0.15
STD_WITHIN = (0.85, 1.15)
# Of groups with so many pairs; in smaller ones chance alone moves a mean further.
LEAST_PAIRS = 300

# The reason of the lineage test.
WIDTHS = "widths differ"

# How `just zoo --size disguises` names children after every disguise at once.
ATTACKED = "_attacked"

NOT_COVERED = (
    "Not covered: large models, training that differs in kind from that of these small ones, and models with",
    "odd norms, which `just bench lineage` makes. The thresholds were set with the shipped zoo in view.",
)

Row = Mapping[str, Any]
Bar = tuple[str, bool]


def run_calibration(lake_name: str, *, details: bool = False, as_json: bool = False) -> int:
    """1 when a bar is missed."""
    lake = trained_lake() if lake_name == TRAINED_LAKE else existing_lake(lake_name)
    with open_catalog(lake) as connection:
        announce(connection, lake)
        about = about_lake(connection)
    tables = calibrated(lake)
    bars = check_bars(tables)
    if as_json:
        with_slices = {"with_slices": bars_object(_slice_bars())["bars"]}
        show_json({**about, **bars_object(bars), **rates_object(tables), **with_slices})
    else:
        known = answers(tables["calibration_pairs"])
        show(*bar_lines(bars), "", *missed_lines(known), "", *_with_slices(), "", *NOT_COVERED)
        show(*(["", *table_lines(tables)] if details else ["`--details` has the tables."]))
    return 0 if all(holds for _, holds in bars) else 1


def bar_lines(bars: Sequence[Bar]) -> list[str]:
    return [f"{'met' if holds else 'MISSED'}: {text}" for text, holds in bars]


def bars_object(bars: Sequence[Bar]) -> dict[str, object]:
    return {"bars": [{"bar": text, "met": holds} for text, holds in bars]}


def rates_object(tables: Mapping[str, pa.Table]) -> dict[str, object]:
    """The tables of error rates for machines; the pairs themselves are rows of `calibration_pairs`."""
    return {name: tables[name].to_pylist() for name in TABLES}


def _with_slices() -> list[str]:
    """The other tier, as it was last calibrated: slices of a zoo are too large to ship."""
    return ["With slices, on disguised models (`just calibrate --slices`):", *bar_lines(_slice_bars())]


def _slice_bars() -> list[Bar]:
    from analysis.lineage.slices.results import check_bars as check_slices
    from analysis.lineage.slices.results import stored_results

    return check_slices(stored_results())


def calibrated(lake: Lake) -> dict[str, pa.Table]:
    """The calibration of a zoo, from the lake if it was made there of these models and by this test."""
    provenance = _provenance(lake)
    if not _is_stored(lake, provenance):
        # Two commands that need it wait for each other, and the second finds it made.
        with write_lock(lake, wait=FOREVER):
            if not _is_stored(lake, provenance):
                tables = calibrate(lake)
                with new_commit(lake) as commit:
                    for name, table in tables.items():
                        write_table(commit.file(_file(name)), table, provenance)
                    commit.publish()
    return {name: read_parquet(file) for name, file in _files(lake).items()}


def _is_stored(lake: Lake, provenance: Mapping[str, str]) -> bool:
    return all(read_provenance(file) == provenance for file in _files(lake).values())


def _files(lake: Lake) -> dict[str, Path]:
    folder = lake.folder
    return {name: folder / _file(name) for name in ("calibration_pairs", *TABLES)}


def calibrate(lake: Lake) -> dict[str, pa.Table]:
    """Known pairs and the three tables of error rates, by table name."""
    with open_catalog(lake) as connection:
        # Several add up in an order of their own each time, and the last digits of every mean differ.
        connection.execute("set threads = 1")
        known = known_pairs(connection, lake)
        return {"calibration_pairs": known, **error_rates(connection, known)}


def _provenance(lake: Lake) -> dict[str, str]:
    method = hashlib.sha256()
    for path in sorted(
        [*SQL.glob("*/lineage*.sql"), *SQL.glob("calibration/*.sql"), *Path(__file__).parent.glob("*.py")]
    ):
        method.update(path.read_bytes())
    return {
        "made_by": "just calibrate",
        "fingerprint": fingerprint_of(lake),
        "method": method.hexdigest()[:12],
        "tool_version": VERSION,
    }


def _file(table: str) -> str:
    return f"{table}/{table}.parquet"


def missed_lines(known: Sequence[Row]) -> list[str]:
    """Related models that were not found, by kind and how they were made; nothing of kinds without a miss."""
    kinds: dict[str, dict[str, list[bool]]] = {}
    for row in known:
        if row["relation"] == "related":
            kind = "fully attacked" if row["attacked"] else row["kind"]
            kinds.setdefault(kind, {}).setdefault(row["transformation"], []).append(row["is_called"])
    said = []
    for kind, made in sorted(kinds.items()):
        missed: dict[str, list[str]] = {}
        for name, called in sorted(made.items()):
            if not all(called):
                missed.setdefault(f"{called.count(False)} of {len(called)}", []).append(name)
        each = [f"{', '.join(names)} ({counts})" for counts, names in missed.items()]
        if len(made) > 1 and not any(called for one in made.values() for called in one):
            each = [f"all {sum(len(one) for one in made.values())}"]
        if each:
            said += wrapped(f"  {kind}: {'; '.join(each)}", "    ")
    return ["Missed, by kind:", *said] if said else ["Nothing was missed."]


def table_lines(tables: Mapping[str, pa.Table]) -> list[str]:
    """What `--details` adds: the three tables."""
    lines = ["Pairs without relation: z should have mean 0 and standard deviation 1", ""]
    lines.append(
        "group          kind     models pairs  k_eff/K   z mean   std    min    max   naive std    max"
    )
    lines += [_null_line(row) for row in tables["calibration_null"].to_pylist()]
    lines += [
        "",
        "How many unrelated pairs exceed a level; `ours` is the threshold of `just lineage`",
        "(95 % interval by a bootstrap over models)",
        "",
    ]
    lines.append("group          statistic   level   beyond     rate   interval")
    lines += [_false_line(row) for row in tables["calibration_false_positives"].to_pylist()]
    lines += [
        "",
        "Pairs with a relation: what the test sees, 95 % interval by a bootstrap over models, and AUC",
        "",
    ]
    by_name: dict[str, list[Row]] = {}
    for row in answers(tables["calibration_pairs"]):
        if row["relation"] == "related":
            by_name.setdefault(row["transformation"] + ATTACKED * row["attacked"], []).append(row)
    lines.append(
        "transformation          kind        found      interval   z_eff min  median   r median"
        "   AUC cosine  Pearson  naive z  z_eff"
    )
    seen = tables["calibration_transformations"].to_pylist()
    return [*lines, *(_seen_line(row, rate_called(by_name[row["transformation"]])) for row in seen)]


def check_bars(tables: Mapping[str, pa.Table]) -> list[Bar]:
    known = answers(tables["calibration_pairs"])
    unrelated = rate_called(row for row in known if row["relation"] != "related" and row["z_eff"] is not None)
    children = [row for row in known if row["relation"] == "related" and row["kind"] == "child"]
    unaltered = [row for row in children if not row["attacked"]]
    # widths that differ are refused and no miss: slices answer there
    asked = [row for row in unaltered if not row["reason"].startswith(WIDTHS)]
    missed = sorted({row["transformation"] for row in asked if not row["is_called"]})
    but = f", but not all of {missed}" if missed else ""
    if refused := len(unaltered) - len(asked):
        but += f"; {refused} more cannot be compared by norms: {WIDTHS}"
    large = [row for row in tables["calibration_null"].to_pylist() if row["pairs"] >= LEAST_PAIRS]
    spread = [row["z_std"] for row in large if row["z_std"] is not None]
    return [
        (counted(unrelated, "pairs without relation are called related"), not unrelated.found),
        (f"{counted(rate_called(asked), 'unaltered children are found')}{but}", not missed),
        _within("mean", [row["z_mean"] for row in large], -MEAN_WITHIN, MEAN_WITHIN, "+.2f"),
        _within("standard deviation", spread, *STD_WITHIN, ".2f"),
    ]


def _within(name: str, values: Sequence[float], low: float, high: float, form: str) -> tuple[str, bool]:
    """Whether a figure of every group and part is as it should be."""
    if not values:
        return f"no group of unrelated pairs has {LEAST_PAIRS} for the {name} of z", True
    reach = f"{min(values):{form}} to {max(values):{form}}"
    groups = f"in the {len(values)} groups of at least {LEAST_PAIRS} pairs"
    text = f"z of unrelated pairs has a {name} of {reach} {groups}, within {low} to {high}"
    return text, low <= min(values) and max(values) <= high


def _null_line(row: Row) -> str:
    # one pair alone has no standard deviation
    spread, naive = ("–" if row[name] is None else f"{row[name]:.2f}" for name in ("z_std", "z_naive_std"))
    return (
        f"{row['grouping']:14} {row['kind']:8} {row['models']:6d} {row['pairs']:5d} "
        f"{row['k_eff_share']:8.2f} {row['z_mean']:+8.2f} {spread:>5} {row['z_min']:+6.2f} "
        f"{row['z_max']:+6.2f} {naive:>11} {row['z_naive_max']:6.2f}"
    )


def _false_line(row: Row) -> str:
    return (
        f"{row['grouping']:14} {row['statistic']:10} {row['level']:>6} {row['false_positives']:4d} of "
        f"{row['pairs']:<5d} {row['rate']:6.1%}  {row['low']:.1%} to {row['high']:.1%}"
    )


def _seen_line(row: Row, rate: Rate) -> str:
    figures = f"   {str(row['not_compared']).partition(' (folded')[0]}"
    if row["z_eff_min"] is not None:
        figures = f"{row['z_eff_min']:+10.1f} {row['z_eff_median']:+7.1f} {row['pearson_median']:+10.2f}"
        aucs = [row[f"{name}_auc"] for name in ("cosine", "pearson", "z_naive", "z_eff")]
        figures += "   {:10.2f} {:8.2f} {:8.2f} {:6.2f}".format(*aucs)
    found = f"{rate.found:2d} of {rate.of:<4d} {100 * rate.low:3.0f} to {100 * rate.high:3.0f} %"
    return f"{row['transformation']:23} {row['kind']:11} {found} {figures}"
