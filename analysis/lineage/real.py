"""`just calibrate --real`: the lineage test on released models out of packages, whose relations are known.

The models are not committed; what the test said of them is, with the versions: the view `real_models`.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import duckdb

from analysis.lakes import announce
from analysis.lineage.calibrate import bar_lines, bars_object
from analysis.lineage.rates import Pair, rate_of
from analysis.rows import about_lake, fetch_dicts, show_json
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.connections import connect
from warehouse.catalog.definitions import read_query
from warehouse.console.output import show
from warehouse.errors import LakeError
from warehouse.lake import existing_lake
from warehouse.tables import TABLES

LAKE = "real"
RESULTS = TABLES["real_models"].path

NOT_COVERED = (
    "Not covered: most families of large language models; `just benchmark` reads them where a network is.",
    "Beyond copies and light fine-tunes the related pairs are two independent relations.",
)

Row = Mapping[str, Any]


def run_real(lake_name: str, *, write: bool = False, details: bool = False, as_json: bool = False) -> int:
    """1 when a bar is missed."""
    lake = existing_lake(lake_name)
    with open_catalog(lake) as connection:
        announce(connection, lake)
        pairs = real_pairs(connection)
        if not pairs:
            raise LakeError(
                f"lake {lake.name!r} has no models out of packages: `just calibrate --real` brings them"
            )
        summary = summed(connection)
        about = about_lake(connection)
    if write:
        write_results(pairs, RESULTS)
    bars = check_bars(summary)
    if as_json:
        told = [{**row, "rate": asdict(row["rate"])} for row in summary]
        show_json({**about, **bars_object(bars), "summary": told, "pairs": pairs})
    else:
        show(*bar_lines(bars), "", *report_lines(summary), "", *NOT_COVERED)
        if details:
            show("", *_pair_lines(pairs), *_summary_lines(summary))
        else:
            show("`--details` has the pairs.")
    return 0 if all(holds for _, holds in bars) else 1


def real_pairs(connection: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """Also leaves them as the table `real_pairs`, for `summed`."""
    connection.execute(f"create or replace temp table real_pairs as {read_query('calibration/real_pairs')}")
    return fetch_dicts(connection, "from real_pairs")


def summed(connection: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """One row per kind of pairs, with the rate of those that are called related."""
    connection.execute(f"create or replace temp table real_judged as {read_query('calibration/real_judged')}")
    pairs = fetch_dicts(connection, "from real_judged where not repeated order by model_a, model_b")
    return [
        {**row, "rate": rate_of([_shared(pair) for pair in pairs if pair["kind"] == row["kind"]])}
        for row in fetch_dicts(connection, read_query("calibration/real_summary"))
    ]


def _shared(pair: Row) -> Pair:
    return pair["family_a"], pair["family_b"], pair["is_shared"]


def stored_summary(path: Path = RESULTS) -> list[dict[str, Any]]:
    """What the committed results say."""
    with connect() as connection:
        connection.execute("create temp table real_pairs as from read_csv(?, header = true)", [str(path)])
        return summed(connection)


def write_results(pairs: Sequence[Row], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(pairs[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(pairs)


def check_bars(summary: Sequence[Row]) -> list[tuple[str, bool]]:
    related = [row for row in summary if row["kind"] == "related"]
    unrelated = [row for row in summary if str(row["kind"]).startswith("unrelated")]
    missed = sum(row["in_all"] - row["shared_in_all"] for row in related)
    wrong = sum(row["shared_in_all"] for row in unrelated)
    return [
        (f"every related pair is found{f', but {missed}' if missed else ''}", bool(related) and not missed),
        (f"no unrelated pair is called related{f', but {wrong}' if wrong else ''}", not wrong),
    ]


def report_lines(summary: Sequence[Row]) -> list[str]:
    """What the command and the report say."""
    by_kind = {row["kind"]: row for row in summary}
    related = by_kind["related"]
    return [
        f"- related pairs: {related['shared']} of {related['pairs']} found ({_rate(related)}; weakest z "
        f"{related['z_min']:.1f});",
        f"- unrelated pairs of one width: {_called(by_kind['unrelated'])};",
        "- unrelated pairs that both have fixed sinusoidal positions: "
        f"{_called(by_kind['unrelated, both sinusoidal'])};",
        f"- encoder and decoder of one model, trained together: {_called(by_kind['one model'])}.",
    ]


def _called(row: Row) -> str:
    return (
        f"{row['shared']} of {row['pairs']} called related ({_rate(row)}; z from {row['z_min']:.1f} to "
        f"{row['z_max']:.1f})"
    )


def _rate(row: Row) -> str:
    return str(row["rate"]).replace("models they come from", "families they come from")


def _pair_lines(pairs: Sequence[Row]) -> list[str]:
    """Related and odd ones, and whatever is not plainly without a sign."""
    lines = []
    for row in pairs:
        if row["relation"] == "unrelated" and str(row["verdict"]).startswith("no sign"):
            continue
        each = ", ".join(
            f"{part} {row[f'z_{part}']:+.1f}" for part in ("weights", "biases") if row[f"z_{part}"]
        )
        verdict = str(row["verdict"]).partition(" (")[0]
        lines += [
            f"{row['model_a']} and {row['model_b']} ({row['relation']}): {verdict}",
            f"    z {_figure(row['z_eff'])} ({each}) from {row['statistic_used']}; {row['norms_used']} norms",
            f"    {row['package_a']}, {row['package_b']}: {row['why']}",
        ]
    return lines


def _summary_lines(summary: Sequence[Row]) -> list[str]:
    lines = ["", f"{'':27}{'':21}{'z of weights':>15}{'z of biases':>15}{'z that decides':>16}"]
    lines.append(
        f"{'pairs':27} pairs share cannot tell {'mean':>7}{'sd':>7} {'mean':>7}{'sd':>7} {'min':>7}{'max':>8}"
    )
    for row in summary:
        parts = " ".join(
            f"{_figure(row[f'{part}_mean']):>7}{_figure(row[f'{part}_std'], ''):>7}"
            for part in ("weights", "biases")
        )
        repeats = row["in_all"] - row["pairs"]
        lines.append(
            f"{row['kind']:27} {row['pairs']:5d} {row['shared']:5d} {row['cannot_tell']:11d} {parts} "
            f"{_figure(row['z_min']):>7}{_figure(row['z_max']):>8}"
            + (f"  and {repeats} that repeat others" if repeats else "")
        )
    return [*lines, ""]


def _figure(value: float | None, sign: str = "+") -> str:
    return "-" if value is None else f"{value:{sign}.2f}"
