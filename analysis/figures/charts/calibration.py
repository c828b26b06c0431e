"""How often the lineage test is wrong, on small models whose ancestry is known and on released ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analysis.figures.charts import alt, pl
from analysis.figures.charts.style import FAINT, FULL, HALF, INK, by_name, highest, lowest, tips
from analysis.figures.figure import Facts
from analysis.figures.translated import phrase, ways
from analysis.languages import LANGUAGES

# kind: words, colour, shape
KINDS = {
    "child": ("child, unaltered", "#0072B2", "circle"),
    "same start": ("same initial weights, not derived", "#E69F00", "diamond"),
    "distilled": ("distilled: no weight passed on", "#999933", "square"),
    "disguise": ("altered: computes the same", "#CC3311", "triangle-up"),
}
GROUPS = {
    "plain": "two plain bases",
    "mixed": "plain and outlier base",
    "outliers": "two outlier bases",
    "layernorm": "two LayerNorm models",
    "sinusoidal": "sinusoidal positions",
    "made and base": "model, base not its parent",
}
# kind: words, colour
REAL_KINDS = {
    "related": ("related", "#0072B2"),
    "unrelated": ("unrelated", "#4D4D4D"),
    "unrelated, both sinusoidal": ("unrelated, both with sinusoidal positions", "#D55E00"),
    "one model": ("parts of one model", "#999933"),
}
PEERS = {
    "zoo": ("small models trained here", "#0072B2", "circle"),
    "real": ("released models", "#D55E00", "diamond"),
}
PEER_PANELS = {
    "unrelated pairs called related": "unrelated pairs that are called related",
    "related pairs found": "related pairs that are found",
}
# statistic: words, colour
STATISTICS = {"z_eff": ("z_eff", "#0072B2"), "z_naive": ("naive pooled z", "#D55E00")}
# state: colour, shape
STATES = {"as it is": ("#0072B2", "circle"), "after the full attack": ("#D55E00", "triangle-up")}
UNDEFINED = -2.0  # where marks without a z_eff are drawn, left of all others


def calibration_seen(rows: pl.DataFrame, narrow: bool = False) -> alt.LayerChart:
    """Every child's z_eff by how it was made, the threshold, and the range of pairs without relation."""
    low, high, threshold = (rows[name][0] for name in ("chance_low", "chance_high", "threshold"))
    left = low + UNDEFINED
    table = rows.with_columns(
        pl.col("kind").replace({kind: words for kind, (words, _, _) in KINDS.items()}),
        pl.col("transformation").replace(ways()),
        at=pl.col("z_eff").fill_null(left),
    )
    axis = alt.Axis(values=[0, threshold, 20, 40] if narrow else [-2, 0, 2, threshold, 10, 20, 40])
    words = "z_eff" if narrow else "z_eff of a model and one it was made from"
    scale = _of_z(left, highest(rows["z_eff"]) + 3)
    x = alt.X("at:Q", title=words, scale=scale, axis=axis)
    y = _listed(table, "transformation", labelLimit=240, labelFontSize=9 if narrow else 11)
    legend = alt.Legend(columns=1 if narrow else 4, labelLimit=300)
    points = alt.Chart(table.drop_nulls("z_eff").drop("chance_low", "chance_high", "threshold"))
    points = points.mark_point(filled=True, size=42, opacity=0.75).encode(
        x=x,
        y=y,
        color=by_name(alt.Color, "kind", {words: hue for words, hue, _ in KINDS.values()}, legend=legend),
        shape=by_name(alt.Shape, "kind", {words: shape for words, _, shape in KINDS.values()}),
        tooltip=tips("transformation:N", "kind:N", "model_a:N", "model_b:N", "z_eff:Q", "verdict:N"),
    )
    constant = table.filter(pl.col("z_eff").is_null()).unique("transformation", maintain_order=True)
    words = "cannot tell" if narrow else "constant norms: cannot tell"
    undefined = alt.Chart(constant.select("transformation", "at"))
    undefined = undefined.mark_text(text=words, align="left", fontSize=10, color=INK)
    labels = {low: "unrelated" if narrow else "unrelated pairs", float(threshold): f"threshold {threshold:g}"}
    layers = [
        _band(low, high, alt.X("low:Q", scale=scale), opacity=0.35),
        _rule([threshold], x),
        points,
        undefined.encode(x=x, y=y),
        _above(labels, x),
    ]
    size = {"width": 165 if narrow else FULL - 170, "height": alt.Step(13 if narrow else 16)}
    return alt.LayerChart(layer=layers).properties(**size)


def calibration_seen_facts(rows: pl.DataFrame) -> Facts:
    children, disguises = rows.filter(kind="child"), rows.filter(kind="disguise")
    found = pl.col("z_eff") >= pl.col("threshold")
    return {
        "children": children.height,
        "children_found": children.filter(found).height,
        "disguises": disguises.height,
        "disguises_found": disguises.filter(found).height,
    }


def calibration_null(rows: pl.DataFrame) -> alt.VConcatChart:
    """z_eff beside the naive z of pairs without relation, over the normal curve that both claim to follow."""
    x = alt.X("z:Q", title="z", scale=alt.Scale(domain=[lowest(rows["z"]), highest(rows["z"])], nice=False))
    up = alt.Y("density:Q", title="density", scale=alt.Scale(domain=[0, 0.55]), axis=alt.Axis(tickCount=3))
    threshold = rows["threshold"][0]
    panels = []
    for group, words in GROUPS.items():
        pair = []
        for statistic, (name, hue) in STATISTICS.items():
            table = rows.filter(grouping=group, statistic=statistic)
            if table.is_empty():
                continue
            [(models, pairs, beyond)] = table.select("models", "pairs", "beyond").unique().rows()
            base = alt.Chart(table.select("z", "found", "density", "normal")).encode(x=x)
            bars = base.mark_bar(color=hue, width=9).encode(y=up, tooltip=tips("z:Q", "found:Q", "density:Q"))
            curve = base.mark_line(color=INK, strokeWidth=1.2, interpolate="monotone").encode(
                y=alt.Y("normal:Q", title="density")
            )
            title = [f"{name}: {words}", f"{models} models, {pairs:,} pairs, {beyond} beyond {threshold:g}"]
            pair.append(
                (bars + curve + _rule([threshold], x, FAINT)).properties(
                    width=HALF, height=90, title=alt.TitleParams(title, fontSize=11)
                )
            )
        if pair:
            panels.append(alt.hconcat(*pair, spacing=16))
    return alt.vconcat(*panels, spacing=8)


def calibration_null_facts(rows: pl.DataFrame) -> Facts:
    groups = rows.unique(["grouping", "statistic"]).select("statistic", "pairs", "beyond")
    eff, naive = (groups.filter(statistic=name) for name in STATISTICS)
    return {
        "pairs": int(eff["pairs"].sum()),
        "models": rows["all_models"][0],
        "eff_beyond": int(eff["beyond"].sum()),
        "naive_beyond": int(naive["beyond"].sum()),
    }


def calibration_real(rows: pl.DataFrame) -> alt.LayerChart:
    """z_eff of every pair of released models by what is known of the two, and the threshold."""
    left = lowest(rows["z_eff"]) + UNDEFINED
    pairs = dict(rows["kind"].value_counts().rows())
    names = {kind: f"{words}, {pairs.get(kind, 0)} pairs" for kind, (words, _) in REAL_KINDS.items()}
    hues = {names[kind]: hue for kind, (_, hue) in REAL_KINDS.items()}
    table = rows.with_columns(pl.col("kind").replace(names), at=pl.lit(left))
    x = alt.X(
        "z_eff:Q",
        title="z_eff of two released models",
        scale=_of_z(left, highest(rows["z_eff"]) + 5),
        axis=alt.Axis(values=[-2, 0, 2, 5, 10, 20, 40]),
    )
    y = alt.Y("kind:N", sort=list(hues), title=None, axis=alt.Axis(labelLimit=260, grid=True))
    shown = ("kind", "model_a", "model_b", "package_a", "package_b", "why", "verdict")
    figures = ("z_eff", "z_weights", "z_biases", "threshold")
    ticks = alt.Chart(table.drop_nulls("z_eff").select(*shown, *figures)).mark_tick(thickness=2, opacity=0.7)
    ticks = ticks.encode(
        x=x,
        y=y,
        color=by_name(alt.Color, "kind", hues, legend=None),
        tooltip=tips(*(f"{name}:N" for name in shown), *(f"{name}:Q" for name in figures)),
    )
    thresholds = rows["threshold"].unique(maintain_order=True)
    layers = [_rule(thresholds, x), _above({highest(thresholds): "threshold"}, x), ticks]
    undefined = table.filter(pl.col("z_eff").is_null()).select("kind", z_eff="at").unique(maintain_order=True)
    if not undefined.is_empty():
        words = alt.Chart(undefined).mark_text(text="undefined: cannot tell", align="left", color=INK)
        layers.append(words.encode(x=x, y=y))
    return alt.LayerChart(layer=layers).properties(width=FULL - 250, height=alt.Step(40))


def calibration_real_facts(rows: pl.DataFrame) -> Facts:
    related = rows.filter(kind="related")
    unrelated = rows.filter(pl.col("kind").str.starts_with("unrelated"))
    found = pl.col("z_eff") >= pl.col("threshold")
    return {
        "related": related.height,
        "related_found": related.filter(found).height,
        "unrelated": unrelated.height,
        "unrelated_found": unrelated.filter(found).height,
    }


def calibration_slices(rows: pl.DataFrame) -> alt.LayerChart:
    """The share of neurons that agree by how a model was made, as it is and after the full attack."""
    threshold, unrelated = rows["threshold"][0], rows["unrelated"][0]
    rows = rows.with_columns(pl.col("transformation").replace(ways()))
    x = alt.X(
        "share:Q",
        title="share of neurons that agree",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format="%", values=[0, threshold, 0.4, 0.6, 0.8, 1]),
    )
    shown = ("transformation", "kind", "shown", "model_a", "model_b", "verdict")
    points = alt.Chart(rows.drop_nulls("share").select(*shown, "share", "z_norms"))
    points = points.mark_point(filled=True, size=42, opacity=0.7).encode(
        x=x,
        y=_listed(rows, "transformation", labelLimit=240),
        color=by_name(alt.Color, "shown", {state: hue for state, (hue, _) in STATES.items()}),
        shape=by_name(alt.Shape, "shown", {state: shape for state, (_, shape) in STATES.items()}),
        yOffset=alt.YOffset("shown:N", sort=list(STATES)),
        tooltip=tips(*(f"{name}:N" for name in shown), "share:Q", "z_norms:Q"),
    )
    labels = {0.0: "unrelated pairs", threshold: f"threshold {threshold:.0%}"}
    layers = [_band(0.0, unrelated, alt.X("low:Q"), opacity=0.6), _rule([threshold], x), points]
    chart = alt.LayerChart(layer=[*layers, _above(labels, x)])
    return chart.properties(width=FULL - 170, height=alt.Step(8))


def calibration_slices_facts(rows: pl.DataFrame) -> Facts:
    """How many attacked models were found, and how those that were missed had been made."""
    attacked = rows.filter(shown="after the full attack")
    found = attacked.filter(pl.col("share") >= pl.col("threshold"))
    missed = attacked.join(found, on=["model_a", "model_b"], how="anti")
    counts = missed.group_by("transformation").len().sort("transformation").rows()
    return {
        "attacked": attacked.height,
        "attacked_found": found.height,
        "missed": {
            language: "; ".join(f"{phrase(ways().get(way, way), language)} ({n})" for way, n in counts) or "–"
            for language in LANGUAGES
        },
        "unrelated": rows["unrelated"][0],
    }


def peers(rows: pl.DataFrame) -> alt.HConcatChart:
    """False calls and found pairs by rule, with intervals."""
    shown = [PEERS[models] for models in rows["models"].unique(maintain_order=True)]
    hues, shapes = {words: hue for words, hue, _ in shown}, {words: shape for words, _, shape in shown}
    table = rows.with_columns(
        pl.col("models").replace({models: words for models, (words, _, _) in PEERS.items()})
    )
    panels: list[alt.LayerChart] = []
    for counted, words in PEER_PANELS.items():
        base = alt.Chart(table.filter(counted=counted).drop("counted")).encode(
            y=_listed(rows, "rule", labelLimit=260, labels=not panels),
            yOffset=alt.YOffset("models:N", sort=list(hues)),
            color=by_name(alt.Color, "models", hues),
        )
        scale = alt.Scale(domain=[0, 1])
        bars = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=words, scale=scale), x2="high:Q")
        points = base.mark_point(filled=True, size=60, opacity=1).encode(
            x=alt.X("rate:Q", title=words, scale=scale, axis=alt.Axis(format="%", tickCount=5)),
            shape=by_name(alt.Shape, "models", shapes),
            tooltip=tips("rule:N", "models:N", "called:Q", "pairs:Q", "rate:Q", "low:Q", "high:Q"),
        )
        panels.append((bars + points).properties(width=HALF - 100, height=alt.Step(16)))
    return alt.hconcat(*panels, spacing=16)


def peers_facts(rows: pl.DataFrame) -> Facts:
    false = rows.filter(models="zoo", counted="unrelated pairs called related")
    by_rule = {row["rule"]: row for row in false.iter_rows(named=True)}
    return {
        "cosine": by_rule["mean cosine above 0.9"]["rate"],
        "pearson": by_rule["mean Pearson above 0.5"]["called"],
        "ours": by_rule["normhouse"]["called"],
        "pairs": by_rule["mean cosine above 0.9"]["pairs"],
    }


def _of_z(left: float, right: float) -> alt.Scale:
    """Linear near 0, logarithmic beyond; `left` is where undefined values are shown."""
    return alt.Scale(type="symlog", constant=4, domain=[left - 0.6, right], nice=False)


def _listed(rows: pl.DataFrame, column: str, **axis: Any) -> alt.Y:  # noqa: ANN401 (options of an axis)
    """The names of a column from top to bottom, in the order of the rows."""
    names = rows[column].unique(maintain_order=True).to_list()
    return alt.Y(f"{column}:N", sort=names, title=None, axis=alt.Axis(grid=True, **axis))


def _band(low: float, high: float, x: alt.X, opacity: float) -> alt.Chart:
    """Where pairs without relation lie."""
    band = alt.Chart(pl.DataFrame({"low": [low], "high": [high]}))
    return band.mark_rect(color="#BBBBBB", opacity=opacity).encode(x=x, x2="high:Q")


def _rule(thresholds: Sequence[float] | pl.Series, x: alt.X, colour: str = INK) -> alt.Chart:
    column = x.shorthand.removesuffix(":Q")
    rule = alt.Chart(pl.DataFrame({column: thresholds})).mark_rule(color=colour, strokeDash=[6, 3])
    return rule.encode(x=x)


def _above(labels: dict[float, str], x: alt.X) -> alt.Chart:
    """Words above a panel, at the place that they name."""
    column = x.shorthand.removesuffix(":Q")
    words = alt.Chart(pl.DataFrame({column: list(labels), "text": list(labels.values())}))
    return words.mark_text(align="left", dx=2, y=-6, fontSize=10, color=INK).encode(x=x, text="text:N")
