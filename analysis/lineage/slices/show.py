"""What slices say of a pair, in words; and which command brings them where a model has none."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

TIERS = (
    "Exact tests (norms, neuron order, signs): 1 in 3 million unrelated pairs passes.",
    "Share of agreeing neurons: sees through disguise; empirical null, so no p-value.",
)
"""Each fits a line of the terminal."""

STATISTICS = {
    "z_order": "neurons in order",
    "z_sign": "signs of up",
    "z_tokenless": "without tokens",
}

Row = Mapping[str, Any]


def slice_lines(row: Row, strangers: float | None) -> list[str]:
    """`strangers`: the largest share that unrelated models reached in the calibration."""
    lines = [
        f"slices          {row['verdict']}",
        "layers read     "
        + ", ".join(f"{listed(row[f'layers_{side}'])} of {row[f'model_{side}']}" for side in ("a", "b")),
        f"shared tokens   {row['tokens']}",
    ]
    for name, words in STATISTICS.items():
        each = {form: row[f"{name}_{form}"] for form in ("folded", "plain")}
        if any(z is not None for z in each.values()):
            figures = ", ".join(f"{form} {z:+.1f}" for form, z in each.items() if z is not None)
            lines.append(f"{'z, ' + words:22}  {figures}")
    if row["p"] is not None:
        p = f"{row['p']:.2g}" if row["p"] > 0 else "below 1e-300"
        lines.append(f"p, exact        {p}, the smallest of {row['tests']}, times their number")
    if row["share"] is not None:
        beyond = "" if strangers is None else f"; unrelated models reach {strangers:.1%}"
        lines.append(
            f"neurons agree   {row['share']:.1%} (folded {row['share_folded']:.1%}, "
            f"plain {row['share_plain']:.1%}){beyond}"
        )
    return lines


def absent_lines(absent: Sequence[Row]) -> list[str]:
    """One line per model that has no slices."""
    return [f"slices          none of {row['model']}: `{command(row)}` brings them" for row in absent]


def command(row: Row) -> str:
    """What to type for the slices of a model of the lake; a shell takes no part of it for another command."""
    if row["source"] in ("hub", "replica"):
        return f"just ingest {row['source']} {shlex.quote(str(row['repo']))} --slices"
    return f"just ingest FOLDER --alias {shlex.quote(str(row['model']))} --slices"


def listed(layers: Sequence[int]) -> str:
    names = [str(layer) for layer in layers]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
