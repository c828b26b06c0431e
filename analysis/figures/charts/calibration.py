"""How often the lineage test is wrong, on small models whose ancestry is known and on released ones."""

from __future__ import annotations

from analysis.figures.charts import alt, pl
from analysis.figures.charts.style import FAINT, FULL, HALF, INK, highest, lowest, tips
from analysis.figures.translated import ways

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
STATISTICS = {"z_eff": "z_eff", "z_naive": "naive pooled z"}
UNDEFINED = -2.0  # place of marks without a z_eff, left of all others


def seen(rows: pl.DataFrame, narrow: bool = False) -> alt.LayerChart:
    """Every child's z_eff by how it was made, the threshold, and the range of pairs without relation."""
    low, high, threshold = (rows[name][0] for name in ("chance_low", "chance_high", "threshold"))
    left = low + UNDEFINED
    names = {kind: words for kind, (words, _, _) in KINDS.items()}
    table = rows.with_columns(
        pl.col("kind").replace(names),
        pl.col("transformation").replace(ways()),
        at=pl.col("z_eff").fill_null(left),
    )
    scale = alt.Scale(type="symlog", constant=4, domain=[left - 0.6, highest(rows["z_eff"]) + 3], nice=False)
    axis = alt.Axis(values=[0, threshold, 20, 40] if narrow else [-2, 0, 2, threshold, 10, 20, 40])
    words = "z_eff" if narrow else "z_eff of a model and one it was made from"
    x = alt.X("at:Q", title=words, scale=scale, axis=axis)
    order = table["transformation"].unique(maintain_order=True).to_list()
    axis_of_ways = alt.Axis(labelLimit=240, grid=True, labelFontSize=9 if narrow else 11)
    y = alt.Y("transformation:N", sort=order, title=None, axis=axis_of_ways)
    kinds = list(names.values())
    hues, shapes = [hue for _, hue, _ in KINDS.values()], [shape for _, _, shape in KINDS.values()]
    legend = alt.Legend(columns=1 if narrow else 4, labelLimit=300)
    points = alt.Chart(table.drop_nulls("z_eff").drop("chance_low", "chance_high", "threshold"))
    points = points.mark_point(filled=True, size=42, opacity=0.75).encode(
        x=x,
        y=y,
        color=alt.Color("kind:N", title=None, scale=alt.Scale(domain=kinds, range=hues), legend=legend),
        shape=alt.Shape("kind:N", title=None, scale=alt.Scale(domain=kinds, range=shapes)),
        tooltip=tips("transformation:N", "kind:N", "model_a:N", "model_b:N", "z_eff:Q", "verdict:N"),
    )
    constant = table.filter(pl.col("z_eff").is_null()).unique("transformation", maintain_order=True)
    undefined = alt.Chart(constant.select("transformation", "at")).mark_text(
        text="constant norms: cannot tell", align="left", fontSize=10, color=INK
    )
    band = alt.Chart(pl.DataFrame({"low": [low], "high": [high]})).mark_rect(color="#BBBBBB", opacity=0.35)
    band = band.encode(x=alt.X("low:Q", scale=scale), x2="high:Q")
    rule = alt.Chart(pl.DataFrame({"at": [threshold]})).mark_rule(color=INK, strokeDash=[6, 3])
    labels = pl.DataFrame(
        {
            "at": [low, float(threshold)],
            "text": ["unrelated" if narrow else "unrelated pairs", f"threshold {threshold:g}"],
        }
    )
    layers = [band, rule.encode(x=x), points, undefined.encode(x=x, y=y), _above(labels, x)]
    done: alt.LayerChart = alt.LayerChart(layer=layers).properties(
        width=165 if narrow else FULL - 170, height=alt.Step(13 if narrow else 16)
    )
    return done


def null(rows: pl.DataFrame) -> alt.VConcatChart:
    """z_eff beside the naive z of pairs without relation, over the normal curve that both claim to follow."""
    x = alt.X("z:Q", title="z", scale=alt.Scale(domain=[lowest(rows["z"]), highest(rows["z"])], nice=False))
    threshold = rows["threshold"][0]
    panels = []
    for group, words in GROUPS.items():
        some = rows.filter(grouping=group)
        if some.is_empty():
            continue
        pair = []
        for statistic, name in STATISTICS.items():
            table = some.filter(statistic=statistic)
            [(models, pairs, beyond)] = table.select("models", "pairs", "beyond").unique().rows()
            base = alt.Chart(table.select("z", "found", "density", "normal")).encode(x=x)
            bars = base.mark_bar(color="#0072B2" if statistic == "z_eff" else "#D55E00", width=9).encode(
                y=alt.Y(
                    "density:Q",
                    title="density",
                    scale=alt.Scale(domain=[0, 0.55]),
                    axis=alt.Axis(tickCount=3),
                ),
                tooltip=tips("z:Q", "found:Q", "density:Q"),
            )
            curve = base.mark_line(color=INK, strokeWidth=1.2, interpolate="monotone").encode(
                y=alt.Y("normal:Q", title="density")
            )
            rule = alt.Chart(pl.DataFrame({"z": [threshold]})).mark_rule(color=FAINT, strokeDash=[6, 3])
            title = [f"{name}: {words}", f"{models} models, {pairs:,} pairs, {beyond} beyond {threshold:g}"]
            pair.append(
                (bars + curve + rule.encode(x=x)).properties(
                    width=HALF, height=90, title=alt.TitleParams(title, fontSize=11)
                )
            )
        panels.append(alt.hconcat(*pair, spacing=16))
    return alt.vconcat(*panels, spacing=8)


def real(rows: pl.DataFrame) -> alt.LayerChart:
    """z_eff of every pair of released models by what is known of the two, and the threshold."""
    left = lowest(rows["z_eff"]) + UNDEFINED
    pairs = dict(rows["kind"].value_counts().rows())
    names = {kind: f"{words}, {pairs.get(kind, 0)} pairs" for kind, (words, _) in REAL_KINDS.items()}
    order, hues = list(names.values()), [hue for _, hue in REAL_KINDS.values()]
    table = rows.with_columns(pl.col("kind").replace(names), at=pl.lit(left))
    scale = alt.Scale(type="symlog", constant=4, domain=[left - 0.6, highest(rows["z_eff"]) + 5], nice=False)
    axis = alt.Axis(values=[-2, 0, 2, 5, 10, 20, 40])
    x = alt.X("z_eff:Q", title="z_eff of two released models", scale=scale, axis=axis)
    y = alt.Y("kind:N", sort=order, title=None, axis=alt.Axis(labelLimit=260, grid=True))
    shown = ("kind", "model_a", "model_b", "package_a", "package_b", "why", "verdict")
    figures = ("z_eff", "z_weights", "z_biases", "threshold")
    ticks = alt.Chart(table.drop_nulls("z_eff").select(*shown, *figures)).mark_tick(thickness=2, opacity=0.7)
    ticks = ticks.encode(
        x=x,
        y=y,
        color=alt.Color("kind:N", scale=alt.Scale(domain=order, range=hues), legend=None),
        tooltip=tips(*(f"{name}:N" for name in shown), *(f"{name}:Q" for name in figures)),
    )
    rule = alt.Chart(rows.select(z_eff="threshold").unique(maintain_order=True))
    labels = pl.DataFrame({"z_eff": [highest(rows["threshold"])], "text": ["threshold"]})
    layers = [rule.mark_rule(color=INK, strokeDash=[6, 3]).encode(x=x), _above(labels, x), ticks]
    undefined = table.filter(pl.col("z_eff").is_null()).select("kind", z_eff="at").unique(maintain_order=True)
    if not undefined.is_empty():
        words = alt.Chart(undefined).mark_text(text="undefined: cannot tell", align="left", color=INK)
        layers.append(words.encode(x=x, y=y))
    done: alt.LayerChart = alt.LayerChart(layer=layers).properties(width=FULL - 250, height=alt.Step(40))
    return done


def slices(rows: pl.DataFrame) -> alt.LayerChart:
    """The share of neurons that agree by how a model was made, as it is and after the full attack."""
    threshold, unrelated = rows["threshold"][0], rows["unrelated"][0]
    rows = rows.with_columns(pl.col("transformation").replace(ways()))
    hues = {"as it is": "#0072B2", "after the full attack": "#D55E00"}
    x = alt.X(
        "share:Q",
        title="share of neurons that agree",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format="%", values=[0, threshold, 0.4, 0.6, 0.8, 1]),
    )
    order = rows["transformation"].unique(maintain_order=True).to_list()
    y = alt.Y("transformation:N", sort=order, title=None, axis=alt.Axis(labelLimit=240, grid=True))
    shown = ("transformation", "kind", "shown", "model_a", "model_b", "verdict")
    points = alt.Chart(rows.drop_nulls("share").select(*shown, "share", "z_norms"))
    points = points.mark_point(filled=True, size=42, opacity=0.7).encode(
        x=x,
        y=y,
        color=alt.Color("shown:N", title=None, scale=alt.Scale(domain=list(hues), range=list(hues.values()))),
        shape=alt.Shape(
            "shown:N", title=None, scale=alt.Scale(domain=list(hues), range=["circle", "triangle-up"])
        ),
        yOffset=alt.YOffset("shown:N", sort=list(hues)),
        tooltip=tips(*(f"{name}:N" for name in shown), "share:Q", "z_norms:Q"),
    )
    band = alt.Chart(pl.DataFrame({"low": [0.0], "high": [unrelated]})).mark_rect(
        color="#BBBBBB", opacity=0.6
    )
    rule = alt.Chart(pl.DataFrame({"share": [threshold]})).mark_rule(color=INK, strokeDash=[6, 3])
    labels = pl.DataFrame(
        {"share": [0.0, threshold], "text": ["unrelated pairs", f"threshold {threshold:.0%}"]}
    )
    layers = [band.encode(x=alt.X("low:Q"), x2="high:Q"), rule.encode(x=x), points, _above(labels, x)]
    done: alt.LayerChart = alt.LayerChart(layer=layers).properties(width=FULL - 170, height=alt.Step(8))
    return done


def peers(rows: pl.DataFrame) -> alt.HConcatChart:
    """False calls and found pairs by rule, with intervals."""
    shown = {models: PEERS[models] for models in rows["models"].unique(maintain_order=True)}
    names = {models: words for models, (words, _, _) in shown.items()}
    order = rows["rule"].unique(maintain_order=True).to_list()
    table = rows.with_columns(pl.col("models").replace(names))
    hues, shapes = [hue for _, hue, _ in shown.values()], [shape for _, _, shape in shown.values()]
    kinds = list(names.values())
    panels: list[alt.LayerChart] = []
    for counted, words in PEER_PANELS.items():
        axis = alt.Axis(labelLimit=260, grid=True, labels=not panels)
        base = alt.Chart(table.filter(counted=counted).drop("counted")).encode(
            y=alt.Y("rule:N", sort=order, title=None, axis=axis),
            yOffset=alt.YOffset("models:N", sort=kinds),
            color=alt.Color("models:N", title=None, scale=alt.Scale(domain=kinds, range=hues)),
        )
        scale = alt.Scale(domain=[0, 1])
        bars = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=words, scale=scale), x2="high:Q")
        points = base.mark_point(filled=True, size=60, opacity=1).encode(
            x=alt.X("rate:Q", title=words, scale=scale, axis=alt.Axis(format="%", tickCount=5)),
            shape=alt.Shape("models:N", title=None, scale=alt.Scale(domain=kinds, range=shapes)),
            tooltip=tips("rule:N", "models:N", "called:Q", "pairs:Q", "rate:Q", "low:Q", "high:Q"),
        )
        panels.append((bars + points).properties(width=HALF - 100, height=alt.Step(16)))
    return alt.hconcat(*panels, spacing=16)


def _above(labels: pl.DataFrame, x: alt.X) -> alt.Chart:
    """Words above a panel, at the place that they name."""
    words = alt.Chart(labels).mark_text(align="left", dx=2, y=-6, fontSize=10, color=INK)
    done: alt.Chart = words.encode(x=x, text="text:N")
    return done
