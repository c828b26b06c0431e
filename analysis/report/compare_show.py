"""What `just compare` prints: sentences first, then one line a norm; or all of it as JSON."""

from __future__ import annotations

import shlex
import textwrap
from typing import Any

from analysis.report.compare import Compared
from analysis.report.compare_words import CAUTION

WIDTH = 80
MOST_TOLD = 2
"""Norms told in sentences: those of most layers."""
SHOWN = ("cosine", "offset_share", "pearson", "rel_l2")
MOST_NORMS = 12
"""Lines of the table, so that sentences and table fit one page."""


def lines(found: Compared) -> list[str]:
    """For people, 80 columns wide."""
    a, b = found.models
    text = [f"{a} and {b}", "", *_wrapped(found.opening)]
    if found.about["caution"]:
        text += _wrapped(f"Caution: {found.about['caution']}.")
    if not found.said:
        return [*text, "", "No norm of the same kind, layer and width: there is nothing to compare."]
    layers = {row["ln_type"]: row["layers"] for row in found.metrics if row["metric"] == "cosine"}
    for norm in sorted(found.said, key=lambda norm: -int(str(layers[norm.ln_type])))[:MOST_TOLD]:
        text += ["", norm.ln_type, *_wrapped(" ".join(norm.lines))]
    text += ["", *_table(found), "", *_wrapped(CAUTION)]
    return [*text, "", "Every metric: the page below, --json, or", _command(a, b)]


def _command(a: str, b: str) -> str:
    """To be copied into a shell, which must not take a part of a name for a command."""
    named = ", ".join("'" + model.replace("'", "''") + "'" for model in (a, b))
    query = f"from compare({named})"
    return f'just sql "{query}"' if not set(query) & set('"$`\\!') else f"just sql {shlex.quote(query)}"


def as_object(found: Compared) -> dict[str, Any]:
    """For machines."""
    return {
        **found.about,
        "model_a": found.models[0],
        "model_b": found.models[1],
        "lineage": found.lineage,
        "said": {norm.ln_type: list(norm.lines) for norm in found.said},
        "metrics": found.metrics,
    }


def _table(found: Compared) -> list[str]:
    """Means over the layers that both have, one line a norm."""
    by_norm: dict[str, dict[str, dict[str, object]]] = {}
    for row in found.metrics:
        by_norm.setdefault(str(row["ln_type"]), {})[str(row["metric"])] = row
    wide = max(len(name) for name in by_norm)
    rows = [f"{'means over layers':{wide}} layers  cosine  offset Pearson (lowest,highest)  rel_l2"]
    for name, metrics in list(by_norm.items())[:MOST_NORMS]:
        cosine, offset, pearson, rel_l2 = (metrics[metric] for metric in SHOWN)
        reach = f"({_figure(pearson['low'], 3)},{_figure(pearson['high'], 3)})"
        figures = " ".join(f"{_figure(row['mean']):>7}" for row in (cosine, offset, pearson))
        rows.append(
            f"{name:{wide}} {cosine['layers']!s:>6} {figures} {reach:>16} {_figure(rel_l2['mean']):>7}"
        )
    if len(by_norm) > MOST_NORMS:
        rows.append(f"and {len(by_norm) - MOST_NORMS} more norms")
    return rows


def _figure(value: object, digits: int = 4) -> str:
    """NULL is undefined, never 0; no minus before a zero."""
    return f"{value:z.{digits}f}" if isinstance(value, float) else "undef."


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH)
