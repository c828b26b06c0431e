"""What `just lineage` prints: one pair in words and figures, or all pairs of a lake; or JSON of either."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.lineage.pair import Pair
from analysis.lineage.slices.show import TIERS, absent_lines, slice_lines

LIMITS = (
    "The test has no direction (parent, child and siblings look alike), and a disguise (dimensions "
    "reordered, norms rescaled or folded) defeats it; slices of other weights (`just ingest … --slices`) see "
    "through most of them."
)
LIMITS_WITH_SLICES = (
    "The test has no direction (parent, child and siblings look alike; two models begun from the same random "
    "numbers, too). It does not see distillation, norms wrecked and then disguised, or MLPs trained anew."
)

BY_NORMS = (
    "All pairs are compared by norms alone; `just lineage A B` adds slices where both models have them."
)

Row = Mapping[str, Any]


def pair_lines(pair: Pair, caution: str | None = None, strangers: float | None = None) -> list[str]:
    """`strangers`: the largest share of agreeing neurons that unrelated models reached in the calibration."""
    row = pair.row
    lines = [f"{row['model_a']} and {row['model_b']}: {pair.answer}"]
    if caution:
        lines.append(f"caution: {caution}")
    if pair.slices:
        lines += ["", *TIERS, "", f"norms           {row['verdict']}"]
    dropped = f", {row['norms_dropped']} dropped ({row['dropped']})" if row["norms_dropped"] else ""
    lines += [
        *([] if pair.slices else [""]),
        f"norms used      {row['norms_used']}{dropped}; q/k norms never enter",
    ]
    if row["cosine_mean"] is not None:
        lines += [
            f"cosine, mean    {row['cosine_mean']:+.4f} = offset {row['offset_share_mean']:+.4f} "
            f"+ pattern {row['pattern_share_mean']:+.4f}; the offset is no evidence",
            f"Pearson, mean   {row['pearson_mean']:+.4f}, over layers of the same number",
        ]
    if row["z_eff"] is not None:
        parts = {"weights": row["z_weights"], "biases": row["z_biases"]}
        each = ", ".join(f"{part} {z:+.1f}" for part, z in parts.items() if z is not None)
        lines += [
            f"statistic       {row['statistic_used']}",
            f"k_eff           {row['k_eff']:.1f}: what these vectors are worth when those of one model "
            f"resemble each other",
            f"z_eff           {row['z_eff']:+.1f} ({each}), of at most {row['z_most']:.1f} for a copy; "
            f"naively pooled {row['z_naive']:+.1f}",
            f"p               {row['p']:.2g}, one-sided, by the normal distribution",
        ]
    if pair.permuted:
        lines.append(
            f"p, permuted     {pair.permuted.p:.2g}, of {pair.permuted.permutations:,} joint permutations of "
            f"the dimensions"
        )
    if pair.layer_map:
        lines += [
            f"depths          {row['depth_a']} and {row['depth_b']} layers",
            f"nearest layers  of {row['model_a']} → of {row['model_b']}: "
            + " ".join(f"{a}→{b}" for a, b in pair.layer_map),
        ]
    lines += (
        ["", *slice_lines(pair.slices, strangers)]
        if pair.slices
        else ["", *absent_lines(pair.without_slices)]
    )
    return [*lines, "", LIMITS_WITH_SLICES if pair.slices else LIMITS]


def matrix_lines(rows: Sequence[Row], caution: str | None = None, most: int = 100) -> list[str]:
    """All pairs, those with the largest z first."""
    ordered = sorted(rows, key=lambda row: -(row["z_eff"] if row["z_eff"] is not None else -1e9))
    names = max(len(name) for row in rows for name in (row["model_a"], row["model_b"]))
    lines = [f"caution: {caution}"] if caution else []
    lines.append(f"{'model':{names}}  {'model':{names}}  norms  Spearman   k_eff  z_naive    z_eff  verdict")
    for row in ordered[:most]:
        figures = " " * 36
        if row["z_eff"] is not None:
            figures = f"{row['spearman_mean']:+9.3f} {row['k_eff']:7.1f} {row['z_naive']:+8.1f} "
            figures += f"{row['z_eff']:+8.1f}"
        lines.append(
            f"{row['model_a']:{names}}  {row['model_b']:{names}}  {row['norms_used']:5d} {figures}  "
            f"{row['verdict']}"
        )
    if len(ordered) > most:
        lines.append(f'{len(ordered) - most:,} more pairs: `just sql "from lineage_matrix" csv` gives all')
    return [*lines, "", BY_NORMS, LIMITS]


def pair_object(pair: Pair) -> dict[str, Any]:
    """A pair for machines: SQL's row with the answer of norms and slices, and what was added to it."""
    permuted = pair.permuted
    return {
        **pair.row,
        "verdict": pair.answer,
        "verdict_of_norms": pair.row["verdict"],
        "slices": pair.slices,
        "without_slices": [row["model"] for row in pair.without_slices],
        "p_permuted": permuted.p if permuted else None,
        "permutations": permuted.permutations if permuted else 0,
        "nearest_layers": [list(layers) for layers in pair.layer_map],
    }
