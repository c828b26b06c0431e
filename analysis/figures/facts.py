"""What the words of figures say of their rows: extremes and counts of what the query computed, by name.

Each function takes the rows that are drawn. `case` chooses between titles, so that a title never says more
than its rows show. A value that is NULL is printed as undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import floor

from analysis.figures.charts import pl
from analysis.figures.charts.shares import NEAR, inside
from analysis.figures.charts.style import highest, label
from analysis.figures.figure import CASE
from analysis.figures.translated import phrase, ways
from analysis.languages import LANGUAGES

Facts = Mapping[str, object]
SIMILARITIES = ("cosine", "pearson")


def measured(rows: pl.DataFrame) -> Facts:
    gap = rows.select((pl.col("cosine") - pl.col("predicted")).abs().max()).item()
    four = rows.filter(pl.col("layer").is_in([10, 20, 30, 40]), ln_type="input_layernorm")
    by_norm = {norm: rows.filter(ln_type=norm)["pearson"].mean() for norm in rows["ln_type"].unique()}
    return {
        CASE: "predicted" if gap < 0.02 else "figures",
        "norms": rows.height,
        "layers": rows["layer"].n_unique(),
        "gap": gap,
        "cosine": rows["cosine"].mean(),
        "predicted": rows["predicted"].mean(),
        "pearson_input": by_norm.get("input_layernorm"),
        "pearson_post": by_norm.get("post_attention_layernorm"),
        "four": four["cosine"].mean(),
        "four_predicted": four["predicted"].mean(),
        "file": rows["file"][0],
        "commit": rows["commit"][0],
    }


def patterns(rows: pl.DataFrame) -> Facts:
    values = {
        f"{metric}_{kind}": next(iter(rows.filter(kind=kind)[metric]), None)
        for kind in ("related", "disputed")
        for metric in SIMILARITIES
    }
    related, disputed = values["pearson_related"], values["pearson_disputed"]
    is_plain = related is not None and disputed is not None and related > 0.9 and abs(disputed) < 0.1
    return {
        CASE: "line_and_cloud" if is_plain else "figures",
        "layer": rows["layer"][0],
        "dots": f"{rows.height:,}",
        "beyond": rows.filter(~inside()).height,
        **values,
    }


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
    means = {n: later.filter(reference=n)["cosine"].mean() for n in (0, 10)}
    is_exception = None not in means.values() and means[10] - means[0] > 0.3  # type: ignore[operator]
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
            "en": f"Left out, because no other model has their width: {names}." if alone else "",
            "ko": f"너비가 같은 다른 모델이 없어 뺀 모델: {names}." if alone else "",
        },
    }


def declared_families(rows: pl.DataFrame) -> Facts:
    """Pairs without order."""
    once = rows.filter(pl.col("model_a") < pl.col("model_b")).pivot(
        on="side", index=["model_a", "model_b"], values="relation"
    )
    declared = once.filter(pl.col("declared") != "nothing declared")
    shared = pl.col("measured") == "share weight history"
    return {
        "shared": once.filter(shared).height,
        "both": declared.filter(shared).height,
        "declared": declared.height,
        "absent": declared.filter(measured="no sign").height,
    }


def sanity(rows: pl.DataFrame) -> Facts:
    inside = rows.filter(pl.col("pearson").abs() <= pl.col("pearson_band"))
    return {"layers": rows.height, "inside": inside.height}


def permutation_z(rows: pl.DataFrame) -> Facts:
    some = rows.filter(ln_type="input_layernorm")
    disputed = some.filter("is_disputed")
    ceiling = float(some["ceiling"].max() or 0)  # type: ignore[arg-type]
    beyond = some.filter(pl.col("z_mean") > 3).sort("z_mean", descending=True)
    names = {
        kind: ", ".join(f"{label(a)}–{label(b)}" for a, b in found.select("model_a", "model_b").rows()) or "–"
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


def toy(rows: pl.DataFrame) -> Facts:
    measured = rows.filter(kind="measured", metric="cosine")
    ones, rand = (measured.filter(start=start)["value"] for start in ("ones", "rand"))
    lowest, furthest = ones.min(), rand.abs().max()
    learned = int(rows.filter(metric="learned")["value"].sum())
    is_plain = lowest is not None and furthest is not None and lowest > 0.99 and furthest < 0.5  # type: ignore[operator]
    case = "start" if is_plain and learned == 4 else "figures"
    return {CASE: case, "ones": lowest, "rand": furthest, "learned": learned}


def calibration_seen(rows: pl.DataFrame) -> Facts:
    children, disguises = rows.filter(kind="child"), rows.filter(kind="disguise")
    found = pl.col("z_eff") >= pl.col("threshold")
    return {
        "children": children.height,
        "children_found": children.filter(found).height,
        "disguises": disguises.height,
        "disguises_found": disguises.filter(found).height,
    }


def figure_00(rows: pl.DataFrame) -> Facts:
    by_share = dict(rows.select("removed", "cosine").drop_nulls().rows())
    return {"before": by_share[0.0], "after": by_share[1.0]}


def sampled(rows: pl.DataFrame) -> Facts:
    best = rows.filter("is_best").row(0, named=True)
    return {**{key: best[key] for key in ("layer", "cosine", "pearson")}, "layers": rows["layer"].n_unique()}


def figure_02(rows: pl.DataFrame) -> Facts:
    return {"matched": rows["matched_mean_pearson"][0], "mismatched": rows["mismatched_mean_pearson"][0]}


def figure_03_1(rows: pl.DataFrame) -> Facts:
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    return {"first": first["changed_ratio"], "last": last["changed_ratio"], "deepest": last["layer"]}


def figure_05(rows: pl.DataFrame) -> Facts:
    """The darkest of the panels whose equal layers are not plainly related, by their mean."""
    panels = rows.unique("panel", maintain_order=True).select("model_a", "model_b", "matched_mean")
    related = panels.filter(model_a="glm", model_b="intellect")["matched_mean"][0]
    others = panels.filter(pl.col("matched_mean").abs() < 0.5).sort(pl.col("matched_mean").abs())
    if others.is_empty():
        return {"related": related, "darkest": "–", "darkest_mean": None, "darkest_caption": ""}
    a, b, mean = others.rows()[-1]
    name = f"{label(a)}–{label(b)}"
    # said in the caption because a dark panel looks like evidence
    of_phi = "phi" in (a, b)
    caption = {
        "en": f"Of the other five the darkest is {name}"
        + (", a pair that nobody calls related." if of_phi else "."),
        "ko": f"나머지 다섯 중 가장 진한 것은 {name}"
        + (", 곧 아무도 관련 있다고 하지 않는 쌍입니다." if of_phi else "입니다."),
    }
    return {"related": related, "darkest": name, "darkest_mean": mean, "darkest_caption": caption}


def means_of(column: str, layer: int | None = None) -> Callable[[pl.DataFrame], Facts]:
    """The mean of a column in each of the four models, of one layer or all."""

    def facts(rows: pl.DataFrame) -> Facts:
        some = rows if layer is None else rows.filter(layer=layer)
        return {
            model: some.filter(model=model)[column].mean() for model in ("solar", "glm", "intellect", "phi")
        }

    return facts


def figure_07(rows: pl.DataFrame) -> Facts:
    shares = [float(rows[f"share{n}"][0]) for n in (1, 2, 3)]
    return {"share1": shares[0], "share123": sum(shares)}


def figure_09(rows: pl.DataFrame) -> Facts:
    """The area that two histograms share, at the layer in the middle of those drawn."""
    layers = sorted(rows["layer"].unique())
    layer = layers[len(layers) // 2]
    some = rows.filter(ln_type="input_layernorm", layer=layer)
    both = some.group_by("bin").agg(pl.min("density"), models=pl.len()).filter(pl.col("models") > 1)
    return {"layer": layer, "overlap": float(both["density"].sum()) * 2.2 / 60}


def figure_10(rows: pl.DataFrame) -> Facts:
    deepest = rows.row(-1, named=True)
    jump = {
        "en": f"The jump at layer {deepest['layer']}: that is GLM's multi-token-prediction (MTP) layer.",
        "ko": f"레이어 {deepest['layer']}에서 값이 뛰는데, GLM의 다중 토큰 예측(MTP) 레이어입니다.",
    }
    return {
        "pearson": rows["pearson"].mean(),
        "layers": rows.height,
        "jump": jump if deepest["is_mtp"] else "",
    }


def within(rows: pl.DataFrame) -> Facts:
    some = rows.filter(pl.col("layer_a") < pl.col("layer_b"), ln_type="input_layernorm")
    return _ranges({metric: some.filter(metric=metric)["value"] for metric in SIMILARITIES})


def confusion(rows: pl.DataFrame) -> Facts:
    """Comparisons, each one metric, layer and tensor, in which no other pair is closer than Solar and GLM."""
    once = rows.filter(
        pl.concat_str("model_a", "model_b", separator="–").is_in(["solar–glm", "solar–phi", "glm–phi"])
    )
    nearness = pl.when(pl.col("metric").is_in(SIMILARITIES)).then("value").otherwise(-pl.col("value"))
    by = ["metric", "layer", "ln_type"]
    best = (
        once.with_columns(nearness=nearness)
        .group_by(by)
        .agg(pl.col("model_a", "model_b").sort_by("nearness").last())
    )
    return {
        "comparisons": best.height,
        "closest": best.filter(model_a="solar", model_b="glm").height,
    }


def confusion_mixed(rows: pl.DataFrame) -> Facts:
    some = rows.filter(ln_type="input_layernorm")
    return {
        "within": some.filter(relation="same model")["pearson"].mean(),
        "between": some.filter(pl.col("relation").is_in(["same layer", "neither"]))["pearson"].mean(),
    }


def experiment_1(rows: pl.DataFrame) -> Facts:
    with_0, middle = (rows.filter(experiment=n)["cosine"] for n in (1, 2))
    return {"low": with_0.min(), "high": with_0.max(), "middle_low": middle.min()}


def experiment_3(rows: pl.DataFrame) -> Facts:
    once = rows.filter(pl.col("model_a") < pl.col("model_b"))
    return _ranges({metric: once[metric] for metric in SIMILARITIES})


def experiment_4(rows: pl.DataFrame) -> Facts:
    return _ranges({"mean": rows["mean"], "pearson": rows["pearson"]})


def experiment_5(rows: pl.DataFrame) -> Facts:
    kinds = {"moe": "MoE with MoE", "dense": "dense with dense", "mixed": "MoE with dense"}
    return {name: rows.filter(kind=kind)["cosine"].mean() for name, kind in kinds.items()}


def experiment_6(rows: pl.DataFrame) -> Facts:
    values = {(n, metric): value for n, metric, value in rows.select("n", "metric", "value").rows()}
    return {
        "cosine": values[2, "cosine"],
        "pearson": values[2, "pearson"],
        "random_cosine": values[1, "cosine"],
        "random_pearson": values[1, "pearson"],
    }


def decomposition(rows: pl.DataFrame) -> Facts:
    once = rows.filter(part="pattern")
    related, disputed = (
        once.filter(model_a=a, model_b=b)["pearson"].mean()
        for a, b in (("glm", "intellect"), ("solar", "glm"))
    )
    return {"related": related, "disputed": disputed}


def drift(rows: pl.DataFrame) -> Facts:
    # rounded down: the title says "or more"
    return {"lowest": floor(1000 * (1 - highest(rows["distance"]))) / 1000}


def calibration_null(rows: pl.DataFrame) -> Facts:
    groups = rows.unique(["grouping", "statistic"]).select("statistic", "pairs", "beyond")
    eff, naive = (groups.filter(statistic=name) for name in ("z_eff", "z_naive"))
    return {
        "pairs": int(eff["pairs"].sum()),
        "models": rows["all_models"][0],
        "eff_beyond": int(eff["beyond"].sum()),
        "naive_beyond": int(naive["beyond"].sum()),
    }


def calibration_real(rows: pl.DataFrame) -> Facts:
    related = rows.filter(kind="related")
    unrelated = rows.filter(pl.col("kind").str.starts_with("unrelated"))
    found = pl.col("z_eff") >= pl.col("threshold")
    return {
        "related": related.height,
        "related_found": related.filter(found).height,
        "unrelated": unrelated.height,
        "unrelated_found": unrelated.filter(found).height,
    }


def calibration_slices(rows: pl.DataFrame) -> Facts:
    """All that were attacked are counted; of those that are missed, how they were made."""
    held = rows.filter(shown="after the full attack")
    found = held.filter(pl.col("share") >= pl.col("threshold"))
    missed = held.join(found, on=["model_a", "model_b"], how="anti")
    counts = missed.group_by("transformation").len().sort("transformation").rows()
    return {
        "attacked": held.height,
        "attacked_found": found.height,
        "missed": {
            language: "; ".join(f"{phrase(ways().get(way, way), language)} ({n})" for way, n in counts) or "–"
            for language in LANGUAGES
        },
        "unrelated": rows["unrelated"][0],
    }


def peers(rows: pl.DataFrame) -> Facts:
    false = rows.filter(models="zoo", counted="unrelated pairs called related")
    by_rule = {row["rule"]: row for row in false.iter_rows(named=True)}
    return {
        "cosine": by_rule["mean cosine above 0.9"]["rate"],
        "pearson": by_rule["mean Pearson above 0.5"]["called"],
        "ours": by_rule["normhouse"]["called"],
        "pairs": by_rule["mean cosine above 0.9"]["pairs"],
    }


def contradiction_map(rows: pl.DataFrame) -> Facts:
    return {
        "pairs": int(rows["figures"].sum()),
        "strict": int(rows.filter(strength="strict")["figures"].sum()),
    }


def _ranges(columns: Mapping[str, pl.Series]) -> dict[str, object]:
    return {
        f"{name}_{end}": getattr(column, function)()
        for name, column in columns.items()
        for end, function in (("low", "min"), ("high", "max"))
    }
