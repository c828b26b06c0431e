"""What `just lineage` prints: one pair in words and figures, or all pairs of a lake; or JSON of either."""

from __future__ import annotations

import shlex
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from analysis.lineage.pair import Pair
from warehouse.console.output import counted

LIMITS = (
    "The test has no direction (parent, child and siblings look alike), and a disguise (dimensions "
    "reordered, norms rescaled or folded) defeats it; slices of other weights (`just ingest … --slices`) see "
    "through most of them."
)
LIMITS_WITH_SLICES = (
    "The test has no direction (parent, child and siblings look alike; two models begun from the same random "
    "numbers, too). It does not see distillation, norms that were reset and then disguised, or MLPs that "
    "were replaced and retrained."
)

SHORT_LIMITS = "The test has no direction; altered norms can evade it; --details says more."
SHORT_LIMITS_OF_ALL = (
    "The test has no direction; altered norms can evade it; --details explains the verdicts."
)
SHORT_BY_NORMS = "Only norms were compared; `just lineage A B` also compares slices, if stored."

BY_NORMS = (
    "All pairs are compared by norms alone; `just lineage A B` adds slices where both models have them."
)

TIERS = (
    "Exact tests (norms, neuron order, signs): 1 in 3 million, by the normal curve.",
    "Share of agreeing neurons: sees through disguise; empirical null, so no p-value.",
)
"""Each fits a line of the terminal."""

STATISTICS = {
    "z_order": "neurons in order",
    "z_sign": "signs of up",
    "z_tokenless": "without tokens",
}

Row = Mapping[str, Any]

WIDTH = 80
MOST_REASONS = 6  # lines of pairs that cannot be compared


def answer_lines(pair: Pair, caution: str | None = None) -> list[str]:
    """The answer, z with its threshold, and the caution."""
    row = pair.row
    lines = [f"{row['model_a']} and {row['model_b']}: {pair.answer.partition(' (norms folded')[0]}"]
    if row["z_eff"] is not None and row["needed_z"] is not None:
        lines.append(
            f"z {row['z_eff']:+.1f} over {row['norms_used']} norms; "
            f"threshold {row['needed_z']:.1f} (1 in 3 million, by the normal curve)"
        )
    if pair.slices and pair.slices["share"] is not None:
        lines.append(f"Slices: {pair.slices['share']:.1%} of the neurons agree.")
    if caution:
        lines.append(f"caution: {caution}")
    return [part for line in [*lines, SHORT_LIMITS] for part in wrapped(line, "  ")]


def pair_lines(pair: Pair, caution: str | None = None, strangers: float | None = None) -> list[str]:
    """Everything; `strangers` is the largest share of agreeing neurons of unrelated calibration pairs."""
    row = pair.row
    lines = [f"{row['model_a']} and {row['model_b']}: {pair.answer}"]
    if caution:
        lines.append(f"caution: {caution}")
    if pair.slices:
        lines += ["", *TIERS, "", f"norms           {row['verdict']}"]
    dropped = f", {row['norms_dropped']} dropped ({row['dropped']})" if row["norms_dropped"] else ""
    lines += [
        *([] if pair.slices else [""]),
        f"norms used      {row['norms_used']}{dropped}; q/k norms are not used",
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
            f"k_eff           {row['k_eff']:.1f}: how many unlike vectors these norms are worth, since "
            "norms of one model resemble each other",
            f"z_eff           {row['z_eff']:+.1f} ({each}), of at most {row['z_most']:.1f} for a copy; "
            f"naively pooled {row['z_naive']:+.1f}",
        ]
    if row["p"] is not None:
        lines.append(f"p               {_p(row['p'])}, one-sided")
    if pair.permuted:
        lines.append(
            f"p, permuted     {pair.permuted.p:.2g}, of {pair.permuted.permutations:,} joint permutations of "
            f"the dimensions"
        )
    if pair.layer_map and pair.answer.startswith("share"):
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
    told = [part for line in lines for part in wrapped(line, " " * 16) or [""]]
    return [*told, "", *wrapped(LIMITS_WITH_SLICES if pair.slices else LIMITS)]


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
    if row["token_similarity"] is not None:
        lines.append(
            f"tokens alike    {row['token_similarity']:+.2f}: correlation of how similar shared tokens are. "
            "It decides nothing: unrelated models, too, learn alike what tokens mean"
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


def matrix_lines(
    rows: Sequence[Row], caution: str | None = None, most: int = 100, *, details: bool = False
) -> list[str]:
    """All pairs, those with the largest z first; those that cannot be compared in one line a reason."""
    compared = sorted((row for row in rows if row["z_eff"] is not None), key=lambda row: -row["z_eff"])
    names = max(len(name) for row in rows for name in (row["model_a"], row["model_b"]))
    lines = [f"caution: {caution}"] if caution else []
    lines.append(f"{'model':{names}}  {'model':{names}}  norms Pearson  k_eff   z_eff  verdict")
    lines += [
        f"{row['model_a']:{names}}  {row['model_b']:{names}}  {row['norms_used']:5d} "
        f"{_signed(row['pearson_mean'], 7, 3)} {row['k_eff']:6.1f} {row['z_eff']:+7.1f}  {_short(row)}"
        for row in compared[:most]
    ]
    if len(compared) > most:
        more = counted(len(compared) - most, "more pair")
        lines.append(f'{more}: `just sql "from lineage_matrix" csv` gives all')
    reasons = Counter(_reason(row) for row in rows if row["z_eff"] is None).most_common()
    lines += [f"{counted(count, 'more pair')}: {reason}" for reason, count in reasons[:MOST_REASONS]]
    if others := reasons[MOST_REASONS:]:
        more = counted(sum(count for _, count in others), "more pair")
        lines.append(f"{more}: cannot tell, for {counted(len(others), 'other reason')}: --json gives all")
    return [*lines, "", *_notes(compared, details=details)]


def nearest_lines(
    model: str, rows: Sequence[Row], caution: str | None = None, most: int = 20, *, details: bool = False
) -> list[str]:
    """The models whose norms agree most with this one's."""
    compared = [row for row in rows if row["z_eff"] is not None]
    names = max((len(row["model"]) for row in compared), default=5)
    lines = [f"nearest to {model}, by z_eff"] + ([f"caution: {caution}"] if caution else [])
    lines += ["", f"     {'model':{names}}  norms Pearson  cosine   z_eff  verdict"] if compared else []
    for row in compared[:most]:
        lines.append(
            f"{row['rank']:4d} {row['model']:{names}}  {row['norms_used']:5d} "
            f"{_signed(row['pearson_mean'], 7, 3)} {_signed(row['cosine_mean'], 7, 3)} {row['z_eff']:+7.1f}  "
            f"{_short(row)}"
        )
    if len(compared) > most:
        verdicts = Counter(_short(row) for row in compared[most:])
        counted = ", ".join(f"{count:,} {verdict}" for verdict, count in verdicts.most_common())
        lines.append(f"{len(compared) - most:,} more ({counted}): --json gives all")
    others: dict[str, list[str]] = {}
    for row in rows:
        if row["z_eff"] is None:
            others.setdefault(_reason(row), []).append(row["model"])
    for reason, models in others.items():
        lines += wrapped(f"{reason}: {', '.join(models[:most])}{', …' if len(models) > most else ''}")
    return [*lines, "", *_notes(compared, details=details)]


def _notes(compared: Sequence[Row], *, details: bool) -> list[str]:
    """What a table does not say, in two lines, or in full."""
    if not details:
        return [SHORT_BY_NORMS, *wrapped(SHORT_LIMITS_OF_ALL)]
    return [*_meanings(compared), *wrapped(BY_NORMS), *wrapped(LIMITS)]


def wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent)


def _short(row: Row) -> str:
    """Without what stands in brackets, which is said once below."""
    return str(row["verdict"]).partition(" (")[0].removesuffix(" in the norm weights")


def _meanings(rows: Sequence[Row]) -> list[str]:
    """What the verdicts add in brackets, each once."""
    long = {_short(row): str(row["verdict"]).partition(" (")[2].removesuffix(")") for row in rows}
    # in quotation marks, or the last line below a list of relatives would read as the answer
    return [line for short, more in sorted(long.items()) if more for line in wrapped(f'"{short}": {more}.')]


def _reason(row: Row) -> str:
    """Why two models were not compared, whatever the figures."""
    return str(row["verdict"]).partition(" (")[0]


def _signed(value: float | None, width: int, digits: int) -> str:
    return " " * (width - 1) + "-" if value is None else f"{value:+{width}.{digits}f}"


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


def _p(value: float) -> str:
    """No p is 0; the smallest ones have no double."""
    return f"{value:.2g}" if value > 0 else "below 1e-300"
