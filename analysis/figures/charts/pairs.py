"""Many pairs side by side: permutation z, the critique's experiments 4 and 5, contradictions."""

from __future__ import annotations

from analysis.figures.charts import alt, pl
from analysis.figures.charts.style import (
    DISPUTED_COLOUR,
    FAINT,
    FIXED,
    FULL,
    INK,
    METRICS,
    by_name,
    exact,
    highest,
    in_order,
    labelled,
    lowest,
    norms,
    pair_names,
    tips,
)
from analysis.figures.figure import Facts, ranges

PANEL, NARROW_PANEL = 385, 175  # px
DISPUTED = "Solar – GLM"
STRENGTHS = {"strict": "#AA3377", "approximate": "#BBBBBB"}


def permutation_z(rows: pl.DataFrame, narrow: bool = False) -> alt.HConcatChart:
    """Range and mean of z over layers, on an axis that is linear near 0 and logarithmic beyond.

    On a phone the input norm only.
    """
    names = pl.struct("model_a", "model_b").map_elements(
        lambda pair: " – ".join(in_order([pair["model_a"], pair["model_b"]])), return_dtype=pl.String
    )
    table = rows.with_columns(pair=names)
    order = table.filter(ln_type=table["ln_type"][0])["pair"].to_list()
    ceiling = highest(rows["ceiling"])
    ends = [min(-10.0, lowest(rows["z_low"])), 1.3 * ceiling]
    marked = [-3.0, 0.0, 3.0, *([] if narrow else [10.0]), float(round(ceiling))]
    panels: list[alt.LayerChart] = []
    for ln_type, norm in list(norms(rows).items())[: 1 if narrow else None]:
        some = table.filter(ln_type=ln_type).select("pair", "layers", "z_low", "z_mean", "z_high")
        first = not panels
        y = alt.Y("pair:N", sort=order, title=None, axis=_names(first, narrow))
        base = alt.Chart(some).encode(y=y)
        is_disputed = alt.datum.pair == DISPUTED
        range_ = base.mark_rule(strokeWidth=3).encode(
            color=alt.when(is_disputed).then(alt.value(DISPUTED_COLOUR)).otherwise(alt.value("#BBBBBB")),
            x=_z("z_low", ends, marked),
            x2=alt.X2("z_high:Q"),
        )
        mean = base.mark_point(filled=True, size=34, opacity=1).encode(
            color=alt.when(is_disputed).then(alt.value(DISPUTED_COLOUR)).otherwise(alt.value(INK)),
            x=_z("z_mean", ends, marked),
            tooltip=tips("pair:N", "layers:Q", "z_low:Q", "z_mean:Q", "z_high:Q"),
        )
        lines = pl.DataFrame({"at": [-3.0, 3.0, ceiling], "kind": ["±3", "±3", "ceiling"]})
        rules = (
            alt.Chart(lines)
            .mark_rule()
            .encode(
                x=_z("at", ends, marked),
                strokeDash=by_name(
                    alt.StrokeDash,
                    "kind",
                    {"±3": [2, 2], "ceiling": [1, 0]},
                    legend=alt.Legend(
                        symbolSize=400,
                        labelLimit=300,
                        direction="vertical" if narrow else "horizontal",
                        labelExpr=f"{{'±3': '±3: shuffled dimensions seldom reach it in one layer', "
                        f"'ceiling': 'largest possible, {ceiling:.0f}'}}[datum.label]",
                    ),
                ),
                color=alt.value(FAINT),
            )
        )
        panels.append(
            (rules + range_ + mean).properties(
                width=NARROW_PANEL if narrow else PANEL, height=alt.Step(13), title=norm
            )
        )
    return alt.hconcat(*panels, spacing=10)


def permutation_z_facts(rows: pl.DataFrame) -> Facts:
    some = rows.filter(ln_type="input_layernorm")
    disputed = some.filter("is_disputed")
    ceiling = float(some["ceiling"].max() or 0)  # type: ignore[arg-type]
    beyond = some.filter(pl.col("z_mean") > 3).sort("z_mean", descending=True)
    names = {
        kind: ", ".join(pair_names(found)) or "–"
        for kind, found in (
            ("kept", beyond.filter(pl.col("z_mean") > ceiling / 2)),
            ("just", beyond.filter(pl.col("z_mean") <= ceiling / 2)),
        )
    }
    return {
        "z": disputed["z_mean"][0] if disputed.height else None,
        "ceiling": ceiling,
        "pairs": some.height,
        **names,
    }


def _names(is_shown: bool, narrow: bool) -> alt.Axis:
    """The pairs, the disputed one in its colour."""
    marked = alt.datum.label == DISPUTED
    return alt.Axis(
        labels=is_shown,
        ticks=is_shown,
        labelLimit=130 if narrow else 200,
        labelFontSize=9 if narrow else 11,
        labelFontWeight=alt.when(marked).then(alt.value("bold")).otherwise(alt.value("normal")),
        labelColor=alt.when(marked).then(alt.value(DISPUTED_COLOUR)).otherwise(alt.value("black")),
    )


def _z(column: str, ends: list[float], marked: list[float]) -> alt.X:
    return alt.X(
        f"{column}:Q",
        title="permutation z",
        scale=alt.Scale(type="symlog", constant=2, domain=ends, nice=False),
        axis=alt.Axis(values=marked, labelOverlap=False),
    )


LOW = 0.88  # lower end of the axis of cosines
APART = 1.2  # standard deviations from the mean of its group, from which a pair is named
# kind of mark: words beside it
KEY = {
    DISPUTED: "red square: Solar – GLM",
    "pair": "dot: another pair",
    "mean": "bar: mean of the group; grey: ± standard deviation; diamond: printed mean",
}


def experiment_4(rows: pl.DataFrame) -> alt.VConcatChart:
    """Experiment 4: six pairs of models at six layers."""
    return _spread(rows, "layer", alt.X("layer:O", title="layer", axis=alt.Axis(labelAngle=0)), 0.2)


def experiment_4_facts(rows: pl.DataFrame) -> Facts:
    return ranges({"mean": rows["mean"], "pearson": rows["pearson"]})


def experiment_5(rows: pl.DataFrame) -> alt.VConcatChart:
    """Experiment 5: MoE and dense models."""
    kinds = ["MoE with MoE", "MoE with dense", "dense with dense"]
    return _spread(rows, "kind", alt.X("kind:N", sort=kinds, title=None, axis=alt.Axis(labelAngle=0)), 1)


def experiment_5_facts(rows: pl.DataFrame) -> Facts:
    kinds = {"moe": "MoE with MoE", "dense": "dense with dense", "mixed": "MoE with dense"}
    return {name: rows.filter(kind=kind)["cosine"].mean() for name, kind in kinds.items()}


def _spread(rows: pl.DataFrame, group: str, x: alt.X, pearson_end: float) -> alt.VConcatChart:
    """Pairs of models as dots over a group, with mean and spread; below, the same without their means."""
    table = labelled(rows, "model_a", "model_b").with_columns(
        pair=pl.col("model_a") + " – " + pl.col("model_b")
    )
    figures = ["mean", "std", "stated_mean", "stated_std"]
    groups = alt.Chart(table.select(group, *figures).unique(maintain_order=True)).encode(x=x)
    bars = groups.transform_calculate(low="datum.mean - datum.std", high="datum.mean + datum.std")
    spread = bars.mark_rule(strokeWidth=40, color="#E4E4E4").encode(y=_cosine("low"), y2=alt.Y2("high:Q"))
    mean = groups.mark_tick(color=METRICS["cosine"][1], thickness=3, width=60).encode(y=_cosine("mean"))
    stated = groups.mark_point(shape="diamond", size=130, color=INK).encode(
        y=_cosine("stated_mean"), tooltip=tips(f"{group}:N", *map(exact, figures))
    )
    pairs = _pairs(
        table.select(group, "pair", "cosine", "pearson").sort(pl.col("pair") == DISPUTED), group, x
    )
    # the two pairs farthest from the mean of their group, where they are far
    distance = (pl.col("cosine") - pl.col("mean")).abs()
    far = table.filter(
        distance > APART * pl.col("std"), distance.rank("ordinal", descending=True).over(group) <= 2
    )
    # of several at one place, one is named
    far = far.with_columns(place=pl.col("cosine").round(3)).unique([group, "place"], maintain_order=True)
    names = (
        alt.Chart(far.select(group, "pair", "cosine"))
        .mark_text(align="left", dx=26, fontSize=10, color=INK)
        .encode(x=x, y=_cosine("cosine"), text="pair:N")
    )
    key = [f"{KEY[DISPUTED]}; {KEY['pair']}, named where it lies apart", KEY["mean"]]
    above = alt.layer(spread, mean, pairs.encode(y=_cosine("cosine")), stated, names).properties(
        width=FULL, height=280, title=key
    )
    signed = alt.Scale(domain=[-pearson_end, pearson_end], clamp=True, nice=False)
    without = pairs.encode(y=alt.Y("pearson:Q", title="Pearson", scale=signed))
    kept = alt.Chart(
        table.filter(pl.col("pearson").abs() > 0.5 * pearson_end).select(group, "pair", "pearson")
    )
    kept_names = kept.mark_text(align="left", dx=10, fontSize=10, color=INK).encode(
        x=x, y=alt.Y("pearson:Q", scale=signed), text="pair:N"
    )
    below = (without + kept_names).properties(
        width=FULL, height=150, title=f"the same pairs without their means, axis ±{pearson_end:g}"
    )
    return alt.vconcat(above, below).properties(usermeta=FIXED)


def _pairs(table: pl.DataFrame, group: str, x: alt.X) -> alt.Chart:
    chosen = alt.datum.pair == DISPUTED
    return (
        alt.Chart(table)
        .mark_point(size=60, filled=True, opacity=0.8)
        .encode(
            x=x,
            color=alt.when(chosen).then(alt.value(DISPUTED_COLOUR)).otherwise(alt.value("#777777")),
            shape=alt.when(chosen).then(alt.value("square")).otherwise(alt.value("circle")),
            tooltip=tips("pair:N", f"{group}:N", exact("cosine"), exact("pearson")),
        )
    )


def _cosine(column: str) -> alt.Y:
    """An axis that does not begin at 0, and says so."""
    scale = alt.Scale(domain=[LOW, 1], clamp=True, zero=False, nice=False)
    return alt.Y(f"{column}:Q", title=f"cosine (axis from {LOW} to 1)", scale=scale)


def contradiction_map(rows: pl.DataFrame) -> alt.Chart:
    """Bars: how often two documents, or one with itself, print figures that cannot both be true."""
    chart = (
        alt.Chart(rows)
        .mark_bar()
        .encode(
            x=alt.X("figures:Q", title="disagreements", axis=alt.Axis(tickMinStep=1, format="d")),
            y=alt.Y(
                "documents:N",
                sort=rows["documents"].unique(maintain_order=True).to_list(),
                title=None,
                axis=alt.Axis(labelLimit=320),
            ),
            color=by_name(alt.Color, "strength", STRENGTHS),
            order=alt.Order("strength:N", sort="descending"),
            tooltip=tips("documents:N", "strength:N", "figures:Q", "example:N"),
        )
    )
    return chart.properties(width=FULL - 320, height=alt.Step(26))


def contradiction_map_facts(rows: pl.DataFrame) -> Facts:
    return {
        "pairs": int(rows["figures"].sum()),
        "strict": int(rows.filter(strength="strict")["figures"].sum()),
    }
