"""hyunwoong's claims about weights say what numpy says of the same vectors."""

from __future__ import annotations

from itertools import combinations

import duckdb
import numpy as np
import pytest

from analysis.claims.claim_file import CLAIMS, read_claim, read_claims
from tests.claims.by_numpy import (
    Answer,
    abs_q99,
    assert_same,
    cosine,
    cv,
    furthest,
    measure,
    readings_by_name,
)
from tests.claims.planted import INPUT, LAYERS, POST, PROJECTION_SHAPE, vector
from warehouse.catalog import open_catalog
from warehouse.lake import Lake

MODELS = ("solar", "glm", "phi")
PAIRS = list(combinations(MODELS, 2))
DEPTHS = (10, 20, 30)
NORMS = (INPUT, POST)
PROJECTIONS = ("k_proj", "v_proj")
S1, S2, S3, S4 = (f"hyunwoong.s{n}" for n in (1, 2, 3, 4))


def across(metric: str, a: str, b: str, ln_types: tuple[str, ...] = NORMS) -> list[float]:
    """The metric at the three layers, for each type."""
    return [measure(metric, ln_type, a, layer, b, layer) for ln_type in ln_types for layer in DEPTHS]


def inside(metric: str, model: str, ln_type: str, layers: tuple[int, int]) -> float:
    return measure(metric, ln_type, model, layers[0], model, layers[1])


def share(truths: list[bool]) -> float:
    return float(np.mean(truths))


def section_1() -> dict[str, Answer]:
    answers: dict[str, Answer] = {}
    for model in MODELS:
        lowest = min(
            inside("cosine", model, norm, pair) for norm in NORMS for pair in combinations(DEPTHS, 2)
        )
        answers[f"{S1}.within_cosine_0_99.{model}"] = (lowest, lowest >= 0.985)
        answers[f"{S1}.within_cosine_0_99.{model}@truncated"] = (lowest, lowest >= 0.99)
        of_input = max(inside("cosine", model, INPUT, (0, layer)) for layer in DEPTHS)
        others = min(inside("cosine", model, INPUT, pair) for pair in combinations(DEPTHS, 2))
        answers[f"{S1}.layer0_input_low.{model}"] = (of_input, of_input < 0.5)
        answers[f"{S1}.layer0_input_low.{model}@below_other_layers"] = (of_input, of_input < others)
        of_post = min(inside("cosine", model, POST, (0, layer)) for layer in DEPTHS)
        answers[f"{S1}.post_layer0_ge_0_92.{model}"] = (of_post, of_post >= 0.92)
    return answers | qwen() | five_models()


def qwen() -> dict[str, Answer]:
    answers: dict[str, Answer] = {}
    bounds = {("qwen3_4b", POST): 0.94, ("qwen3_14b", INPUT): 0.9, ("qwen3_14b", POST): 0.9}
    for layer in (15, 20):
        for first in (0, 10):
            item = f"{S1}.qwen3_4b.input.l{first}_l{layer}"
            answers[item] = (inside("cosine", "qwen3_4b", INPUT, (first, layer)), None)
            if first == 10:
                answers[f"{item}@truncated"] = answers[item]
        for (model, norm), bound in bounds.items():
            value = inside("cosine", model, norm, (0, layer))
            name = "input" if norm == INPUT else "post"
            answers[f"{S1}.{model}.{name}.l0_l{layer}"] = (value, value >= bound)
    return answers


def five_models() -> dict[str, Answer]:
    models = (*MODELS, "qwen3_4b", "qwen3_14b")
    low = sum(any(inside("cosine", model, INPUT, (0, n)) < 0.9 for n in (15, 20)) for model in models)
    contrasts = sum(
        all(
            inside("cosine", model, INPUT, (0, n)) < inside("cosine", model, INPUT, (10, n))
            and inside("cosine", model, INPUT, (0, n)) < inside("cosine", model, POST, (0, n))
            for n in (15, 20)
        )
        for model in models[:4]
    )
    return {
        f"{S1}.layer0_input_special": (contrasts, contrasts == 4),
        f"{S1}.many_models_low_layer0": (low, 2 < low < 5),
        f"{S1}.most_models_high_layer0": (5 - low, 2 < 5 - low < 5),
    }


def section_2() -> dict[str, Answer]:
    answers: dict[str, Answer] = {}
    for a, b in PAIRS:
        lowest = min(across("cosine", a, b))
        answers[f"{S2}.cross_cosine_gt_0_9.{a}_{b}"] = (lowest, lowest >= 0.9)
    vectors = [vector(model, norm, n) for model in MODELS for norm in NORMS for n in range(LAYERS[model])]
    positive = float(np.mean(np.concatenate(vectors) > 0))
    means = [float(np.mean(values)) for values in vectors]
    near = share([abs(mean - 1) <= 0.5 for mean in means])
    along_ones = [cosine(values, np.ones(len(values))) ** 2 for values in vectors]
    narrow = share([squared >= 0.9 for squared in along_ones])
    return answers | {
        f"{S2}.mostly_positive": (positive, positive >= 0.95),
        f"{S2}.stays_near_1": (furthest(means, 1), near == 1),
        f"{S2}.stays_near_1@most": (near, near > 0.5),
        f"{S2}.low_variance": (narrow, narrow > 0.5),
        f"{S2}.low_variance@each": (min(along_ones), narrow == 1),
    }


def section_3() -> dict[str, Answer]:
    answers: dict[str, Answer] = {}
    crossing: list[float] = []
    drops: list[bool] = []
    for a, b in PAIRS:
        values = across("pearson", a, b)
        crossing += values
        drops += [c >= 0.9 and abs(r) <= 0.05 for c, r in zip(across("cosine", a, b), values, strict=True)]
        near = share([abs(r) <= 0.05 for r in values])
        answers[f"{S3}.centered_near_0.{a}_{b}"] = (near, near > 0.5)
        answers[f"{S3}.centered_near_0.{a}_{b}@each"] = (furthest(values), near == 1)
    answers[f"{S3}.cosine_drops_to_centered"] = (share(drops), share(drops) > 0.5)
    for model in MODELS:
        near_by = {norm: [inside("pearson", model, norm, p) for p in ((10, 20), (20, 30))] for norm in NORMS}
        far = {norm: inside("pearson", model, norm, (10, 30)) for norm in NORMS}
        six = [*near_by[INPUT], *near_by[POST], *far.values()]
        is_high = min(six) > max(map(abs, crossing)) and max(six) < 0.99
        answers[f"{S3}.within_centered_high.{model}"] = (min(six), is_high)
        lead = min(min(near_by[norm]) - far[norm] for norm in NORMS)
        mean_lead = float(np.mean([*near_by[INPUT], *near_by[POST]]) - np.mean(list(far.values())))
        answers[f"{S3}.closer_layers_higher.{model}"] = (lead, lead > 0)
        answers[f"{S3}.closer_layers_higher.{model}@on_average"] = (mean_lead, mean_lead > 0)
    return answers


def section_4_distances() -> dict[str, Answer]:
    answers: dict[str, Answer] = {}
    for norm, name in zip(NORMS, ("input", "post"), strict=True):
        for layer in DEPTHS:
            of_phi = measure("mean_abs_diff", norm, "phi", layer, "glm", layer)
            excess = of_phi - measure("mean_abs_diff", norm, "solar", layer, "glm", layer)
            answers[f"{S4}_2.mad_phi_glm_lt_solar_glm.{name}.layer{layer}"] = (excess, excess < 0)
    for a, b in (("solar", "glm"), ("phi", "glm"), ("solar", "phi")):
        answers[f"{S4}_4.rel_l2.{a}_{b}"] = (measure("rel_l2", POST, a, 20, b, 20), None)
    answers[f"{S4}_4.rel_l2.phi_glm@glm_base"] = (measure("rel_l2", POST, "glm", 20, "phi", 20), None)
    absolute = {layer: measure("mean_abs_diff", POST, "solar", layer, "phi", layer) for layer in DEPTHS}
    answers[f"{S4}_4.solar_phi_abs_values"] = (absolute[20], None)
    second = min(absolute[10], absolute[30], key=lambda value: abs(value - 0.07))
    answers[f"{S4}_4.solar_phi_abs_values@second_figure"] = (second, None)
    for a, b in PAIRS:
        coefficients = [(cv(vector(a, n, layer)), cv(vector(b, n, layer))) for n in NORMS for layer in DEPTHS]
        largest = max(abs(x - y) for x, y in coefficients)
        relative = max(abs(x - y) / max(x, y) for x, y in coefficients)
        answers[f"{S4}_5.cv_diff_about_0.{a}_{b}"] = (largest, largest < 0.05)
        answers[f"{S4}_5.cv_diff_about_0.{a}_{b}@relative"] = (relative, relative <= 0.1)
    return answers


def section_4_closeness() -> dict[str, Answer]:
    answers: dict[str, Answer] = {}
    for reading, types in {"": NORMS, "@with_projections": (*NORMS, *PROJECTIONS)}.items():
        sg, sp, pg = (
            across("p99_abs_diff", a, b, types)
            for a, b in (("solar", "glm"), ("solar", "phi"), ("phi", "glm"))
        )
        often = share([x < y for x, y in zip(pg, sg, strict=True)])
        tails = [abs_q99(vector("solar", ln_type, layer)) for ln_type in types for layer in DEPTHS]
        closest = min(gap / tail for gap, tail in zip(sp, tails, strict=True))
        far = zip(
            across("rel_l2", "solar", "glm", types), across("rel_l2", "solar", "phi", types), strict=True
        )
        closer = share([x < y for x, y in [*zip(sg, sp, strict=True), *far]])
        answers[f"{S4}_3.p99_phi_glm_lt_solar_glm_often{reading}"] = (often, often > 0.5)
        answers[f"{S4}_3.p99_solar_close_to_phi{reading}"] = (closest, closest < 0.05)
        answers[f"{S4}_4.no_consistent_closeness{reading}"] = (closer, closer <= 0.5)
    distance = {(a, b): measure("rel_l2", POST, a, 20, b, 20) for a in MODELS for b in MODELS}
    for reading, pair in {"": ("phi", "glm"), "@glm_base": ("glm", "phi")}.items():
        middle = distance[pair]
        step = min(distance["solar", "glm"] - middle, middle - distance["solar", "phi"])
        answers[f"{S4}_4.rel_l2_order{reading}"] = (step, step > 0)
    return answers


def projections() -> dict[str, Answer]:
    far, near, along = (
        [value for a, b in PAIRS for value in across(metric, a, b, PROJECTIONS)]
        for metric in ("rel_l2", "mean_abs_diff", "cosine")
    )
    return {
        "hyunwoong.intro.kv_same_shape": (float(np.prod(PROJECTION_SHAPE)), True),
        "hyunwoong.intro.kv_no_pattern": (furthest(along), all(abs(value) <= 0.01 for value in along)),
        f"{S4}_2.kv_abs_diff_small": (max(near), max(near) < 0.05),
        f"{S4}_4.kv_rel_l2_large": (min(far), min(far) > 1),
    }


def lineage() -> dict[str, Answer]:
    mean = {
        model: float(
            np.mean([measure("pearson", norm, model, n, "glm", n) for norm in NORMS for n in range(32)])
        )
        for model in ("solar", "phi", "intellect")
    }
    holds = abs(mean["solar"] - mean["phi"]) < abs(mean["solar"] - mean["intellect"])
    return {"hyunwoong.title.not_derived": (mean["solar"], holds)}


def test_every_item_is_what_numpy_computes(twelve_catalog: duckdb.DuckDBPyConnection) -> None:
    claims = [
        claim for claim in read_claims()[0] if claim.group == "hyunwoong" and claim.evidence == "weights"
    ]
    checks = readings_by_name(twelve_catalog, claims)
    # two ways to the same number: nothing but rounding can be observed, and numpy rounds in its own way
    same = checks.pop(f"{S4}_1.pearson_like_centered")
    assert same.holds
    assert 0 <= (same.observed or 0) < 1e-12
    answers = section_1() | section_2() | section_3() | section_4_distances() | section_4_closeness()
    assert_same(checks, answers | projections() | lineage())


def test_a_correlation_that_is_no_centered_cosine_is_noticed(twelve: Lake) -> None:
    query = read_claim(CLAIMS / "hyunwoong" / "pearson.sql").query
    with open_catalog(twelve) as connection:
        connection.execute("""
            create temp table within_model as
            select * replace (pearson + 0.001 * (model = 'phi' and layer_b = 30)::integer as pearson)
            from within_model
        """)
        holds, observed = connection.execute(f"select holds, observed from ({query})").fetchall()[0]
    assert (holds, round(observed, 9)) == (False, 0.001)


@pytest.mark.parametrize(("across_models", "is_high"), [(0.84, True), (0.86, False)])
def test_a_pattern_common_to_layers_is_high_only_above_what_models_share(
    twelve: Lake, across_models: float, is_high: bool
) -> None:
    query = read_claim(CLAIMS / "hyunwoong" / "centered_within_models.sql").query
    with open_catalog(twelve) as connection:
        for view, value in (
            ("within_model", "0.95 - 0.005 * (layer_b - layer_a)"),
            ("matched_layers", "0.0"),
        ):
            connection.execute(
                f"create temp table {view} as select * replace ({value} as pearson) from {view}"
            )
        where = "model_a = 'glm' and model_b = 'phi' and layer = 30 and ln_type = 'input_layernorm'"
        connection.execute(f"update matched_layers set pearson = {-across_models} where {where}")
        found = dict(connection.execute(f"select item, holds from ({query})").fetchall())
    assert {found.pop(f"{S3}.within_centered_high.{model}") for model in MODELS} == {is_high}
    assert set(found.values()) == {True}
