"""Figures 2 and 5: every layer of one model against every layer of another."""

from __future__ import annotations

from analysis.figures.charts.libraries import alt, pl
from analysis.figures.charts.style import HALF, INK, MAGNITUDE, SIGNED, label, packed, tips, whole_pixels


def two_grids(rows: pl.DataFrame) -> alt.HConcatChart:
    """Cosine in the colours' range of the document, and Pearson, side by side."""
    first = rows.row(0, named=True)
    cosine = _grid(rows, "cosine", alt.Scale(scheme=MAGNITUDE, domain=[0.9, 1], clamp=True)).properties(
        title=[
            "cosine, colours cropped to 0.90–1.00",
            f"{first['cells_below_090']} of {rows.height} cells are below 0.90",
            _means(first, "cosine"),
        ]
    )
    pearson = _grid(rows, "pearson", _signed(0.1)).properties(
        title=["Pearson, colours cropped to ±0.1", "(0 is white)", _means(first, "pearson")]
    )
    done: alt.HConcatChart = alt.hconcat(cosine, pearson, spacing=36).resolve_scale(color="independent")
    return done


def six_grids(rows: pl.DataFrame) -> alt.ConcatChart:
    """Pearson of six pairs; the related one on a scale of its own."""
    panels = []
    for _, grid in rows.group_by("panel", maintain_order=True):
        mean = grid["matched_mean"][0]
        end = 1.0 if abs(mean) > 0.5 else 0.1
        title = [
            f"{label(grid['model_a'][0])} and {label(grid['model_b'][0])}",
            f"equal layers: mean {mean:.4f}; colours {'±' if end == 1 else 'cropped to ±'}{end:g}",
        ]
        panels.append(_grid(grid, "pearson", _signed(end), size=200).properties(title=title))
    done: alt.ConcatChart = alt.concat(*panels, columns=2).resolve_scale(color="independent")
    return done


def _signed(end: float) -> alt.Scale:
    return alt.Scale(scheme=SIGNED, domain=[-end, end], domainMid=0, clamp=True)


def _means(first: dict[str, float], metric: str) -> str:
    equal, unequal = first[f"matched_mean_{metric}"], first[f"mismatched_mean_{metric}"]
    return f"mean {equal:.4f} on equal, {unequal:.4f} on other layers"


def _grid(rows: pl.DataFrame, metric: str, scale: alt.Scale, size: int = HALF) -> alt.LayerChart:
    across, up = (sorted(rows[column].unique()) for column in ("layer_b", "layer_a"))
    width, height = whole_pixels(size, len(across)), whole_pixels(size, len(up))
    cells = (
        alt.Chart(packed(rows, ["layer_a"], ["layer_b", metric]))
        .transform_flatten(["layer_b", metric])
        .mark_rect()
        .encode(
            x=alt.X("layer_b:O", title=f"layer of {label(rows['model_b'][0])}", axis=_axis(across)),
            y=alt.Y(
                "layer_a:O", title=f"layer of {label(rows['model_a'][0])}", sort="descending", axis=_axis(up)
            ),
            color=alt.Color(f"{metric}:Q", title=None, scale=scale, legend=alt.Legend(gradientLength=width)),
            tooltip=tips(
                alt.Tooltip("layer_a:O", title=f"layer of {label(rows['model_a'][0])}"),
                alt.Tooltip("layer_b:O", title=f"layer of {label(rows['model_b'][0])}"),
                alt.Tooltip(f"{metric}:Q", format=".5f"),
            ),
        )
    )
    diagonal = (
        alt.Chart(rows.filter(pl.col("layer_a") == pl.col("layer_b")).select("layer_a", "layer_b"))
        .mark_point(size=2, filled=True, color=INK, opacity=1)
        .encode(x="layer_b:O", y=alt.Y("layer_a:O", sort="descending"))
    )
    done: alt.LayerChart = (cells + diagonal).properties(width=width, height=height)
    return done


def _axis(layers: list[int]) -> alt.Axis:
    return alt.Axis(values=[layer for layer in layers if layer % 10 == 0], labelAngle=0)
