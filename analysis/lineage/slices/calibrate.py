"""`just calibrate --slices`: norms and slices on a zoo of known ancestry, or what was committed of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import duckdb
import pyarrow as pa

from analysis.lakes import announce
from analysis.lineage.calibrate import bar_lines, bars_object, calibrated, missed_lines
from analysis.lineage.rates import truth_file
from analysis.lineage.real import write_results
from analysis.lineage.slices.compare import SlicePair, compare_slices, shared_anchors, slice_pair
from analysis.lineage.slices.read import Slices, read_slices
from analysis.lineage.slices.results import NOT_COVERED, check_bars, result_lines, results_of, stored_results
from analysis.rows import fetch_dicts, show_json
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.definitions import read_query
from warehouse.console.output import remark, show
from warehouse.errors import LakeError
from warehouse.lake import Lake, existing_lake
from warehouse.storage.parquet import read_provenance
from warehouse.tables import TABLES

PAIRS_AT_ONCE = 40

FIGURES = [name for name in TABLES["slice_calibration"].columns if name.endswith(("_folded", "_plain"))]


def run_slices(
    lake_name: str | None, *, write: bool = False, details: bool = False, as_json: bool = False
) -> int:
    """1 when a bar is missed; without a lake, what is committed."""
    if lake_name is None:
        results = stored_results()
    else:
        lake = existing_lake(lake_name)
        with open_catalog(lake) as connection:
            announce(connection, lake)
        rows = calibrate_slices(lake)
        if write:
            write_results(rows, TABLES["slice_calibration"].path)
        results = results_of(rows)
    bars = check_bars(results)
    if as_json:
        show_json({**bars_object(bars), "seen": results.seen, "null": results.null})
    else:
        show(*bar_lines(bars), "", *missed_lines(results.answers), "", *NOT_COVERED)
        show(*(["", *result_lines(results)] if details else ["`--details` has the tables."]))
    return 0 if all(holds for _, holds in bars) else 1


def calibrate_slices(lake: Lake) -> list[dict[str, Any]]:
    """The rows of `slice_calibration` for that zoo."""
    known = calibrated(lake)["calibration_pairs"]
    seed = int(read_provenance(truth_file(lake))["seed"])
    with open_catalog(lake) as connection, connection.cursor() as own:
        own.register("known", known)
        asked = fetch_dicts(own, read_query("calibration/slices_asked"))
        told = _told(own, asked)
        own.register("slices_known", pa.Table.from_pylist(asked))
        own.register("slices_told", pa.Table.from_pylist(told))
        said = fetch_dicts(own, read_query("calibration/slices_said"))
    return [
        {name: {"seed": seed, **row}[name] for name in TABLES["slice_calibration"].columns} for row in said
    ]


def _told(connection: duckdb.DuckDBPyConnection, asked: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    @cache
    def slices_of(model: str) -> Slices:
        found = read_slices(connection, model)
        if found is None:
            raise LakeError(f"no slices of {model} in this lake: `just zoo --size disguises` makes some")
        return found

    anchors: dict[tuple[object, ...], list[str]] = {}

    def pair_of(row: Mapping[str, Any]) -> SlicePair:
        one, other = slices_of(row["model_a"]), slices_of(row["model_b"])
        # what two models share depends on the tokens they have alone: looked up once for each such two
        key = (frozenset(one.tokens), frozenset(other.tokens))
        if key not in anchors:
            anchors[key] = shared_anchors(connection, one, other)
        return slice_pair(one, other, anchors[key])

    told: list[dict[str, Any]] = []
    for first in range(0, len(asked), PAIRS_AT_ONCE):
        pairs = [pair_of(row) for row in asked[first : first + PAIRS_AT_ONCE]]
        told += [
            {name: row[name] for name in ("model_a", "model_b", "p", "verdict", *FIGURES)}
            for row in compare_slices(connection, pairs)
        ]
        remark(f"{len(told):,} of {len(asked):,} pairs")
    return told
