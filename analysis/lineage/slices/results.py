"""What the calibration on slices said: both tiers, as models are and after the full attack, and the bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from analysis.figures.translated import ways
from analysis.lineage.rates import Rate, answers, counted, rate_called
from analysis.rows import fetch_dicts
from warehouse.catalog.connections import connect
from warehouse.catalog.definitions import read_query
from warehouse.tables import TABLES

LEAST_PAIRS = 1_500
"""Without relation, before the words may be used."""
FOUND_WHEN_ATTACKED = 0.95

NOT_COVERED = (
    "Not covered: large models, parents beyond these three, quantised matrices, and disguises that nobody",
    "thought of when these models were made. The thresholds were set before they were trained.",
)

# As `calibration/origins` and `calibration/answers` read them.
KNOWN = """
select
    * replace (transformation || case when attacked then '_attacked' else '' end as transformation),
    z_norms as z_eff
from slice_calibration
"""

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Results:
    """The calibration summed up."""

    seen: list[dict[str, Any]]
    """One row per transformation."""
    null: list[dict[str, Any]]
    """One row per group of unrelated pairs and statistic."""
    answers: list[dict[str, Any]]
    """One row per pair, as `calibration/answers` gives it."""

    @property
    def held_to(self) -> list[dict[str, Any]]:
        """Distillation passes on no weights; limits are shown, and nothing is promised of them."""
        return [row for row in self.seen if row["kind"] not in ("distilled", "limit")]

    @property
    def unrelated(self) -> Rate:
        return rate_called(row for row in self.answers if row["relation"] != "related")

    def found(self, *, attacked: bool, held_to: bool = True) -> Rate:
        """Of models as they are or fully attacked; those that are held to, or all."""
        names = {row["transformation"] for row in (self.held_to if held_to else self.seen)}
        return rate_called(
            row
            for row in self.answers
            if row["transformation"] in names and row["relation"] == "related" and row["attacked"] == attacked
        )

    def pairs(self, grouping: str) -> int:
        """Without relation."""
        return max((row["pairs"] for row in self.null if row["grouping"] == grouping), default=0)

    def largest(self, statistic: str) -> float | None:
        """In pairs without relation: of `z`, all exact ones, or of `share`."""
        found = [row["max"] for row in self.null if str(row["statistic"]).startswith(statistic)]
        return max(found) if found else None


def stored_results(path: Path = TABLES["slice_calibration"].path) -> Results:
    """Those that are committed."""
    types = ", ".join(f"'{name}': '{kind}'" for name, kind in TABLES["slice_calibration"].columns.items())
    with connect() as connection:
        connection.execute(
            f"create temp table slice_calibration as from read_csv($path, columns = {{{types}}}, "
            "header = true, auto_detect = false, delim = ',', quote = '\"', escape = '\"')",
            {"path": str(path)},
        )
        return _summed(connection)


def results_of(rows: Sequence[Row]) -> Results:
    with connect() as connection:
        connection.register("slice_calibration", pa.Table.from_pylist([dict(row) for row in rows]))
        return _summed(connection)


def _summed(connection: duckdb.DuckDBPyConnection) -> Results:
    known = connection.sql(KNOWN).to_arrow_table()
    return Results(
        seen=fetch_dicts(connection, read_query("calibration/slices_seen")),
        null=fetch_dicts(connection, read_query("calibration/slices_null")),
        answers=answers(known),
    )


def check_bars(results: Results) -> list[tuple[str, bool]]:
    unrelated, stress = results.unrelated, results.pairs("stress")
    plain, attacked = (results.found(attacked=attacked) for attacked in (False, True))
    missed = [row["transformation"] for row in results.held_to if row["found"] < row["pairs"]]
    escaped = [
        row["transformation"] for row in results.held_to if row["attacked_found"] < row["attacked_pairs"]
    ]
    return [
        (
            f"{counted(unrelated, 'pairs without relation are called related')}; at least {LEAST_PAIRS:,} "
            f"are required, some of them with learned weights ({stress} are)",
            not unrelated.found and unrelated.of >= LEAST_PAIRS and stress > 0,
        ),
        (
            f"{counted(plain, 'children are found before any disguise')}{_but(missed)}",
            plain.found == plain.of > 0,
        ),
        (
            f"{counted(attacked, 'are found after all disguises at once')}; at least "
            f"{100 * FOUND_WHEN_ATTACKED:.0f} % are required{_but(escaped)}",
            attacked.of > 0 and attacked.found >= FOUND_WHEN_ATTACKED * attacked.of,
        ),
    ]


def report_lines(results: Results) -> list[str]:
    """What the command and the report say; all attacked models count, limits included."""
    unrelated, plain = results.unrelated, results.found(attacked=False)
    attacked = results.found(attacked=True, held_to=False)
    by_norms = sum(row["found_by_norms"] for row in results.held_to)
    exactly = sum(row["attacked_found_exactly"] for row in results.seen)
    missed = [
        f"{ways().get(row['transformation'], row['transformation'])} "
        f"({row['attacked_found']} of {row['attacked_pairs']} found)"
        for row in results.seen
        if row["attacked_found"] < row["attacked_pairs"]
    ]
    z, share = results.largest("z") or 0, results.largest("share") or 0
    return [
        f"- of {unrelated.of:,} pairs without relation, {results.pairs('stress')} of them of two models "
        f"whose weights come from training rather than the random start, {unrelated.found} are called "
        f"related ({unrelated}; largest exact z {z:.1f}, largest share {share:.1%});",
        f"- children as they are: {plain.found} of {plain.of} found ({plain}; {by_norms} by norms alone);",
        f"- after the full attack, all disguises at once: {attacked.found} of {attacked.of} found "
        f"({attacked}; {exactly} by exact tests); missed: {'; '.join(missed) or 'none'}.",
    ]


def result_lines(results: Results) -> list[str]:
    lines = ["Norms and slices: pairs without relation, statistic by statistic", ""]
    lines.append(f"{'group':14} {'statistic':19} pairs    mean    std    min    max  above 5 %  above 1 %")
    lines += [_null_line(row) for row in results.null]
    lines += ["", "Pairs with a relation: found by norms alone, with slices, and after the full attack", ""]
    lines.append(
        f"{'transformation':23} {'kind':11}  norms  exact  found  share      attacked: exact  found  share"
    )
    lines += [_seen_line(row) for row in results.seen]
    return [*lines, ""]


def _null_line(row: Row) -> str:
    form = "+7.2f" if str(row["statistic"]).startswith("z") else "7.3f"
    figures = " ".join(
        f"{row[name]:{form}}" for name in ("mean", "std", "min", "max") if row[name] is not None
    )
    beyond = [row[name] for name in ("beyond_5_percent", "beyond_1_percent")]
    rates = "".join(f"{rate:11.1%}" for rate in beyond if rate is not None)
    return f"{row['grouping']:14} {row['statistic']:19} {row['pairs']:5d} {figures}{rates}"


def _seen_line(row: Row) -> str:
    of, attacked = row["pairs"], row["attacked_pairs"]
    plain = (
        f"{row['found_by_norms']:2d}/{of:<3d} {row['found_exactly']:2d}/{of:<3d} {row['found']:2d}/{of:<3d}"
    )
    line = f"{row['transformation']:23} {row['kind']:11} {plain} {_share(row['weakest'])}"
    if attacked:
        counts = (
            f"{row['attacked_found_exactly']:2d}/{attacked:<3d} {row['attacked_found']:2d}/{attacked:<3d}"
        )
        line += f"{'':16} {counts} {_share(row['attacked_weakest'])}"
    return line


def _share(value: float | None) -> str:
    return f"{'-':>6}" if value is None else f"{value:6.2f}"


def _but(names: Sequence[str]) -> str:
    return f", but not all of {', '.join(names)}" if names else ""
