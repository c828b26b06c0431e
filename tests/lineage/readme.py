"""The table of error rates in analysis/README.md, which tests compare with committed results."""

from __future__ import annotations

from pathlib import Path

from analysis.lineage.rates import Rate

README = Path(__file__).parents[2] / "analysis" / "README.md"


def table_row(name: str, rate: Rate, shared: str = "models") -> str:
    by_pairs, by_models = rate.intervals
    return f"| {name} | {rate.of:,} | {rate.found:,} | {by_pairs} | {by_models} ({rate.models} {shared}) |"
