"""How far each pair of models stands above chance, next to the sigmas that were claimed."""

from __future__ import annotations

from analysis.figures.charts.libraries import alt, pl
from analysis.figures.charts.style import (
    DISPUTED_COLOUR,
    FAINT,
    INK,
    NORMS,
    highest,
    in_order,
    lowest,
    tips,
)

PANEL, NARROW_PANEL = 385, 175  # px
DISPUTED = "Solar – GLM"


def permutation_z(rows: pl.DataFrame, narrow: bool = False) -> alt.HConcatChart:
    """Range and mean over layers, on an axis that is linear near 0 and logarithmic beyond.

    On a phone the input norm only.
    """
    names = pl.struct("model_a", "model_b").map_elements(
        lambda pair: " – ".join(in_order([pair["model_a"], pair["model_b"]])), return_dtype=pl.String
    )
    table = rows.with_columns(pair=names)
    order = table.filter(ln_type=table["ln_type"][0])["pair"].to_list()
    claimed, ceiling = rows["claimed"][0], highest(rows["ceiling"])
    ends = [min(-10.0, lowest(rows["z_low"])), 1.6 * max(ceiling, claimed or 0)]
    marked = [-3, 0, 3, *([] if narrow else [10]), round(ceiling), *([] if claimed is None else [claimed])]
    panels: list[alt.LayerChart] = []
    norms = [kind for kind in NORMS if kind in rows["ln_type"]]
    for ln_type in norms[:1] if narrow else norms:
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
        lines = pl.DataFrame(
            {"at": [-3.0, 3.0, ceiling, claimed], "kind": ["±3", "±3", "ceiling", "claimed"]}
        )
        rules = (
            alt.Chart(lines.drop_nulls())
            .mark_rule()
            .encode(
                x=_z("at", ends, marked),
                strokeDash=alt.StrokeDash(
                    "kind:N",
                    title=None,
                    scale=alt.Scale(domain=["±3", "ceiling", "claimed"], range=[[2, 2], [1, 0], [8, 4]]),
                    legend=alt.Legend(
                        symbolSize=400,
                        labelLimit=300,
                        direction="vertical" if narrow else "horizontal",
                        labelExpr=f"{{'±3': '±3', 'ceiling': 'largest possible, {ceiling:.0f}', "
                        f"'claimed': 'claimed for Solar – GLM, {claimed or 0:.0f}'}}[datum.label]",
                    ),
                ),
                color=alt.value(FAINT),
            )
        )
        panels.append(
            (rules + range_ + mean).properties(
                width=NARROW_PANEL if narrow else PANEL, height=alt.Step(13), title=NORMS[ln_type]
            )
        )
    return alt.hconcat(*panels, spacing=10)


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
