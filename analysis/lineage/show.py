"""What `just lineage` prints: one pair in words and figures, or all pairs of a lake."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.lineage.pair import Pair

LIMITS = (
    "The test has no direction (parent, child and siblings look alike), and a disguise (dimensions "
    "reordered, norms rescaled or folded) defeats it; more would take the other weights, checkpoints or "
    "training logs."
)


def pair_lines(pair: Pair) -> list[str]:
    row = pair.row
    lines = [f"{row['model_a']} and {row['model_b']}: {pair.verdict}", ""]
    dropped = f", {row['norms_dropped']} dropped ({row['dropped']})" if row["norms_dropped"] else ""
    lines.append(f"norms used      {row['norms_used']}{dropped}; q/k norms, biases and matrices never enter")
    if row["norms_used"]:
        lines += [
            f"Spearman, mean  {row['spearman_mean']:+.4f}   Pearson, mean {row['pearson_mean']:+.4f}",
            f"cosine, mean    {row['cosine_mean']:+.4f} = offset {row['offset_share_mean']:+.4f} "
            f"+ pattern {row['pattern_share_mean']:+.4f}; the offset is no evidence",
            f"k_eff           {row['k_eff']:.1f}: what the {row['norms_used']} norms are worth when each "
            f"model's own layers resemble each other",
            f"z_eff           {row['z_eff']:+.1f}, of at most {row['z_most']:.1f} for a copy; "
            f"naively pooled {row['z_naive']:+.1f}",
        ]
    if pair.matched:
        lines.append(
            f"p               {pair.matched.p:.2g}, one-sided, of {pair.matched.permutations:,} joint "
            f"permutations of the dimensions"
        )
    if pair.mapped:
        lines += [
            f"depths          {row['depth_a']} and {row['depth_b']} layers: the above is by layer number, "
            f"the verdict by the best layer for each",
            f"mapped blindly  z {pair.mapped.z:+.1f}, p {pair.mapped.p:.2g}, of {pair.mapped.permutations:,} "
            f"permutations that choose their best layers anew",
            f"layer map       {' '.join(f'{a}→{b}' for a, b in pair.layer_map)}",
        ]
    return [*lines, "", LIMITS]


def matrix_lines(pairs: Sequence[Pair], most: int = 100) -> list[str]:
    """All pairs, those with the largest z first."""
    ordered = sorted(pairs, key=lambda pair: -(pair.z if pair.z is not None else -1e9))
    names = max(len(name) for pair in pairs for name in (pair.row["model_a"], pair.row["model_b"]))
    lines = [
        f"{'model':{names}}  {'model':{names}}  norms  Spearman   k_eff  z_naive    z_eff  verdict",
    ]
    for pair in ordered[:most]:
        row = pair.row
        figures = " " * 36
        if row["norms_used"] and pair.z is not None:
            figures = (
                f"{row['spearman_mean']:+9.3f} {row['k_eff']:7.1f} {row['z_naive']:+8.1f} {pair.z:+8.1f}"
            )
        by_map = " (layers mapped blindly)" if pair.mapped else ""
        lines.append(
            f"{row['model_a']:{names}}  {row['model_b']:{names}}  {row['norms_used']:5d} {figures}  "
            f"{pair.verdict}{by_map}"
        )
    if len(ordered) > most:
        lines.append(f'{len(ordered) - most:,} more pairs: `just sql "from lineage_matrix" csv` gives all')
    return [*lines, "", LIMITS]
