"""What the page says: which lake it reads, and the lineage test's answer with its parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.explore.asking import Explored
from analysis.lineage.show import LIMITS


def heading(lake: Explored) -> str:
    caution = f"\n\n> **Caution:** {lake.caution}" if lake.caution else ""
    return f"# normhouse\n\n{lake.title}{caution}"


def verdict(lake: Explored, row: Mapping[str, Any]) -> str:
    """The verdict first, then what it is made of; what is undefined is said to be."""
    lines = [
        f"## {row['model_a']} and {row['model_b']}: {row['verdict']}",
        f"{lake.title}" + (f". Caution: {lake.caution}" if lake.caution else ""),
    ]
    parts = {
        "z_eff": (_figure(row["z_eff"], "+.1f"), "how far the agreement of ranks stands from chance"),
        "of at most": (_figure(row["z_most"], ".1f"), "what a copy would have"),
        "weights, biases": (
            f"{_figure(row['z_weights'], '+.1f')}, {_figure(row['z_biases'], '+.1f')}",
            "the same, of each part",
        ),
        "norms used": (str(row["norms_used"]), "q/k norms and matrices never enter"),
        "k_eff": (
            _figure(row["k_eff"], ".1f"),
            "what they are worth when those of one model resemble each other",
        ),
        "cosine": (_figure(row["cosine_mean"], ".4f"), "mean over layers of the same number"),
        "offset share": (_figure(row["offset_share_mean"], ".4f"), "of it comes from the means; no evidence"),
        "Pearson": (_figure(row["pearson_mean"], ".4f"), "with the means taken out"),
    }
    table = ["| | | |", "| --- | ---: | --- |"]
    table += [f"| {name} | {value} | {meaning} |" for name, (value, meaning) in parts.items()]
    return "\n\n".join([*lines, "\n".join(table), LIMITS])


def cell_words(names: tuple[str, ...], row: Mapping[str, Any]) -> str:
    """The chosen pair of layers, for those who do not see the chart."""
    return (
        f"**{names[0]}** and **{names[1]}**: cosine {_figure(row['cosine'], '.4f')}, of which the means give "
        f"{_figure(row['offset_share'], '.4f')}; Pearson {_figure(row['pearson'], '.4f')}. "
        "Click another cell of the heatmap to see that pair of layers."
    )


def _figure(value: float | None, form: str) -> str:
    return "undefined" if value is None else f"{value:{form}}"
