"""How far each pair of models stands above chance, next to the sigmas that were claimed."""

from __future__ import annotations

from analysis.figures.charts.libraries import alt, pl
from analysis.figures.charts.style import FAINT, INK, NORMS, highest, in_order, lowest, tips

PANEL = 200  # px


def permutation_z(rows: pl.DataFrame) -> alt.HConcatChart:
    """Range and mean over layers, on an axis that is linear near 0 and logarithmic beyond."""
    names = pl.struct("model_a", "model_b").map_elements(
        lambda pair: " – ".join(in_order([pair["model_a"], pair["model_b"]])), return_dtype=pl.String
    )
    table = rows.with_columns(pair=names)
    order = table.filter(ln_type=table["ln_type"][0])["pair"].to_list()
    claimed, ceiling = rows["claimed"][0], highest(rows["ceiling"])
    ends = [min(-10.0, lowest(rows["z_low"])), 1.6 * max(ceiling, claimed or 0)]
    marked = [-3, 0, 3, 10, round(ceiling), *([] if claimed is None else [claimed])]
    panels: list[alt.LayerChart] = []
    for ln_type in [kind for kind in NORMS if kind in rows["ln_type"]]:
        some = table.filter(ln_type=ln_type).select("pair", "layers", "z_low", "z_mean", "z_high")
        first = not panels
        y = alt.Y("pair:N", sort=order, title=None, axis=alt.Axis(labels=first, ticks=first, labelLimit=200))
        base = alt.Chart(some).encode(y=y)
        range_ = base.mark_rule(strokeWidth=3, color="#BBBBBB").encode(
            x=_z("z_low", ends, marked), x2=alt.X2("z_high:Q")
        )
        mean = base.mark_point(filled=True, size=34, color=INK, opacity=1).encode(
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
                        labelExpr=f"{{'±3': '±3', 'ceiling': 'largest possible, {ceiling:.0f}', "
                        f"'claimed': 'claimed for Solar – GLM, {claimed or 0:.0f}'}}[datum.label]",
                    ),
                ),
                color=alt.value(FAINT),
            )
        )
        panels.append(
            (rules + range_ + mean).properties(width=PANEL, height=alt.Step(13), title=NORMS[ln_type])
        )
    return alt.hconcat(*panels, spacing=10)


def _z(column: str, ends: list[float], marked: list[float]) -> alt.X:
    return alt.X(
        f"{column}:Q",
        title="permutation z",
        scale=alt.Scale(type="symlog", constant=2, domain=ends, nice=False),
        axis=alt.Axis(values=marked, labelOverlap=False),
    )
