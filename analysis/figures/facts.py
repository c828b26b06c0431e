"""What the words of a figure say of its rows: extremes and counts of what the query computed, by name.

Each function takes the rows that are drawn. `case` chooses between titles, so that none says what the rows do
not show; a figure that is not defined prints as such.
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis.figures.charts.libraries import pl
from analysis.figures.charts.patterns import inside
from analysis.figures.charts.shares import NEAR
from analysis.figures.charts.style import label
from analysis.figures.figure import CASE

Facts = Mapping[str, object]


def patterns(rows: pl.DataFrame) -> Facts:
    facts: dict[str, object] = {
        "layer": rows["layer"][0],
        "dots": f"{rows.height:,}",
        "beyond": rows.filter(~inside()).height,
    }
    values = {}
    for kind in ("related", "disputed"):
        some = rows.filter(kind=kind)
        for metric in ("cosine", "pearson"):
            values[f"{metric}_{kind}"] = some[metric][0] if some.height else None
    related, disputed = values["pearson_related"], values["pearson_disputed"]
    is_plain = related is not None and disputed is not None and related > 0.9 and abs(disputed) < 0.1
    return {CASE: "line_and_cloud" if is_plain else "figures", **facts, **values}


def predicted(rows: pl.DataFrame) -> Facts:
    disputed = rows.filter("is_disputed")
    gap = pl.col("cosine") - pl.col("offset_share")
    above = rows.filter(gap > NEAR).sort(gap, descending=True)
    names = [f"{label(a)}–{label(b)}" for a, b in above.select("model_a", "model_b").rows()]
    return {
        CASE: "disputed_within" if disputed.height else "without",
        "predicted": disputed["offset_share"][0] if disputed.height else None,
        "cosine": disputed["cosine"][0] if disputed.height else None,
        "pairs": rows.height,
        "near": rows.filter(gap.abs() <= NEAR).height,
        "above": ", ".join(names) or "–",
    }


def layer_0(rows: pl.DataFrame) -> Facts:
    later = rows.filter(pl.col("layer") > 10, kind="measured", model="solar", ln_type="input_layernorm")
    means = {n: _mean(later.filter(reference=n)["cosine"]) for n in (0, 10)}
    is_exception = means[0] is not None and means[10] is not None and means[10] - means[0] > 0.3
    return {
        CASE: "exception" if is_exception else "figures",
        "solar_with_0": means[0],
        "solar_with_10": means[10],
    }


def model_matrix(rows: pl.DataFrame) -> Facts:
    once = rows.filter(pl.col("model_a") < pl.col("model_b"))
    alone = sorted(set(rows["model_a"]) - set(once["model_a"]) - set(once["model_b"]))
    names = ", ".join(label(model) for model in alone)
    return {
        "pairs": once.height,
        "high": once.filter(pl.col("cosine") > 0.9).height,
        "kept": once.filter(pl.col("pearson") > 0.5).height,
        "blank": {
            "en": f"Left out, for want of another model of their width: {names}." if alone else "",
            "ko": f"너비가 같은 다른 모델이 없어 뺀 모델: {names}." if alone else "",
        },
    }


def sanity(rows: pl.DataFrame) -> Facts:
    inside = rows.filter(pl.col("pearson").abs() <= pl.col("pearson_band"))
    return {"layers": rows.height, "inside": inside.height}


def permutation_z(rows: pl.DataFrame) -> Facts:
    some = rows.filter(ln_type="input_layernorm")
    disputed = some.filter("is_disputed")
    z = disputed["z_mean"][0] if disputed.height else None
    claimed, ceiling = rows["claimed"][0], float(rows["ceiling"].max() or 0)  # type: ignore[arg-type]
    is_beyond = z is not None and claimed is not None and claimed > ceiling
    return {
        CASE: "beyond" if is_beyond else "figures",
        "z": z,
        "claimed": claimed,
        "ceiling": ceiling,
        "pairs": some.height,
    }


def toy(rows: pl.DataFrame) -> Facts:
    measured = rows.filter(kind="measured", metric="cosine")
    ones, rand = (measured.filter(start=start)["value"] for start in ("ones", "rand"))
    lowest, furthest = ones.min(), rand.abs().max()
    is_plain = lowest is not None and furthest is not None and lowest > 0.99 and furthest < 0.5  # type: ignore[operator]
    return {CASE: "start" if is_plain else "figures", "ones": lowest, "rand": furthest}


def calibration_seen(rows: pl.DataFrame) -> Facts:
    children, disguises = rows.filter(kind="child"), rows.filter(kind="disguise")
    found = pl.col("z_eff") >= pl.col("threshold")
    return {
        "children": children.height,
        "children_found": children.filter(found).height,
        "disguises": disguises.height,
        "disguises_found": disguises.filter(found).height,
    }


def _mean(column: pl.Series) -> float | None:
    mean = column.mean()
    return float(mean) if isinstance(mean, float) else None
