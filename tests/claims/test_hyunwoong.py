"""hyunwoong's claims about weights say what numpy says of the same vectors."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from analysis.claims.claim_file import CLAIMS, read_claim
from analysis.claims.results import Run
from tests.claims.by_numpy import (
    Answer,
    about_weights,
    abs_q99,
    assert_same,
    cosine,
    cv,
    furthest,
    measure,
)
from tests.claims.planted import INPUT, LAYERS, POST, PROJECTION_SHAPE, vector
from warehouse.catalog.catalog import open_catalog
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
        of_input = max(inside("cosine", model, INPUT, (0, layer)) for layer in DEPTHS)
        answers[f"{S1}.layer0_input_low.{model}"] = (of_input, of_input < 0.8)
        of_post = min(inside("cosine", model, POST, (0, layer)) for layer in DEPTHS)
        answers[f"{S1}.post_layer0_ge_0_92.{model}"] = (of_post, of_post >= 0.915)
    return answers | qwen() | five_models()


def qwen() -> dict[str, Answer]:
    answers: dict[str, Answer] = {}
    bounds = {("qwen3_4b", POST): 0.94, ("qwen3_14b", INPUT): 0.9, ("qwen3_14b", POST): 0.85}
    for layer in (15, 20):
        for first in (0, 10):
            item = f"{S1}.qwen3_4b.input.l{first}_l{layer}"
            answers[item] = (inside("cosine", "qwen3_4b", INPUT, (first, layer)), None)
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
            inside("cosine", model, INPUT, (0, n)) < inside("cosine", model, INPUT, (10, n)) for n in (15, 20)
        )
        for model in models[:4]
    )
    return {
        f"{S1}.layer0_input_special": (None, False),  # a cause, which no figure decides
        f"{S1}.low_because_of_layer_0": (contrasts, contrasts == 4),
        f"{S1}.many_models_low_layer0": (low, 2 < low < 5),
        f"{S1}.most_models_high_layer0": (low, 2 < low < 5),
        f"{S1}.most_models_high_layer0@as_written": (5 - low, 2 < 5 - low < 5),
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
    of_order_1 = share([10**-0.5 <= mean <= 10**0.5 for mean in means])
    narrow = share([cosine(values, np.ones(len(values))) ** 2 >= 0.9 for values in vectors])
    return answers | {
        f"{S2}.mostly_positive": (positive, positive >= 0.9),
        f"{S2}.stays_near_1": (near, near > 0.5),
        f"{S2}.stays_near_1@order_of_magnitude": (of_order_1, of_order_1 > 0.5),
        f"{S2}.low_variance": (narrow, narrow > 0.5),
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
    answers[f"{S3}.cosine_drops_to_centered"] = (share(drops), share(drops) > 0.5)
    for model in MODELS:
        near_by = {norm: [inside("pearson", model, norm, p) for p in ((10, 20), (20, 30))] for norm in NORMS}
        far = {norm: inside("pearson", model, norm, (10, 30)) for norm in NORMS}
        six = [*near_by[INPUT], *near_by[POST], *far.values()]
        is_high = min(six) > max(map(abs, crossing)) and max(six) < 0.99
        answers[f"{S3}.within_centered_high.{model}"] = (min(six), is_high)
        lead = float(np.mean([*near_by[INPUT], *near_by[POST]]) - np.mean(list(far.values())))
        answers[f"{S3}.closer_layers_higher.{model}"] = (lead, lead > 0)
    return answers


def section_4_distances() -> dict[str, Answer]:
    answers: dict[str, Answer] = {}
    of_phi, of_solar = across("mean_abs_diff", "phi", "glm"), across("mean_abs_diff", "solar", "glm")
    excesses = [x - y for x, y in zip(of_phi, of_solar, strict=True)]
    in_general = share([excess < 0 for excess in excesses])
    cases = [f"{name}.layer{layer}" for name in ("input", "post") for layer in DEPTHS]
    for case, excess in zip(cases, excesses, strict=True):
        answers[f"{S4}_2.mad_phi_glm_lt_solar_glm.{case}"] = (excess, excess < 0)
        answers[f"{S4}_2.mad_phi_glm_lt_solar_glm.{case}@in_general"] = (in_general, in_general > 0.5)
    for a, b in (("solar", "glm"), ("solar", "phi")):
        answers[f"{S4}_4.rel_l2.{a}_{b}"] = (measure("rel_l2", POST, a, 20, b, 20), None)
    answers[f"{S4}_4.rel_l2.phi_glm"] = (measure("rel_l2", POST, "glm", 20, "phi", 20), None)
    absolute = {layer: measure("mean_abs_diff", POST, "solar", layer, "phi", layer) for layer in DEPTHS}
    answers[f"{S4}_4.solar_phi_abs_values"] = (absolute[20], None)
    second = min(absolute[10], absolute[30], key=lambda value: abs(value - 0.07))
    answers[f"{S4}_4.solar_phi_abs_values.second"] = (second, None)
    for a, b in PAIRS:
        coefficients = [(cv(vector(a, n, layer)), cv(vector(b, n, layer))) for n in NORMS for layer in DEPTHS]
        largest = max(abs(x - y) for x, y in coefficients)
        answers[f"{S4}_5.cv_diff_about_0.{a}_{b}"] = (largest, largest < 0.1)
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
        far = across("rel_l2", "solar", "glm", types), across("rel_l2", "solar", "phi", types)
        closer = max(share([x < y for x, y in zip(*both, strict=True)]) for both in ((sg, sp), far))
        answers[f"{S4}_3.p99_phi_glm_lt_solar_glm_often{reading}"] = (often, often > 0.5)
        answers[f"{S4}_3.p99_solar_close_to_phi{reading}"] = (closest, closest < 0.05)
        answers[f"{S4}_4.no_consistent_closeness{reading}"] = (closer, closer < 1)
    distance = {(a, b): measure("rel_l2", POST, a, 20, b, 20) for a in MODELS for b in MODELS}
    for reading, pair in {"": ("glm", "phi"), "@phi_base": ("phi", "glm")}.items():
        middle = distance[pair]
        step = min(distance["solar", "glm"] - middle, middle - distance["solar", "phi"])
        answers[f"{S4}_4.rel_l2_order{reading}"] = (step, step > 0)
    return answers


def expected_of_derived() -> dict[str, Answer]:
    answers: dict[str, Answer] = {}
    for item, metric in (
        (f"{S4}_2.derived_has_smaller_difference", "mean_abs_diff"),
        (f"{S4}_3.derived_has_similar_tails", "p99_abs_diff"),
    ):
        pairs = zip(across(metric, "glm", "intellect"), across(metric, "solar", "glm"), strict=True)
        nearer = sum(related < disputed for related, disputed in pairs)
        answers[item] = (nearer, nearer == 6)
    lowest = min(across("cosine", "glm", "phi"))
    return answers | {f"{S2}.glm_from_phi_by_the_same_rule": (lowest, lowest >= 0.9)}


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


def descent() -> dict[str, Answer]:
    def correlation(model: str) -> float:
        values = [measure("pearson", norm, "glm", n, model, n) for norm in NORMS for n in range(32)]
        return float(np.mean(values))

    solar, phi, intellect = map(correlation, ("solar", "phi", "intellect"))
    closer = []
    for metric in ("pearson", "mean_abs_diff", "p99_abs_diff", "rel_l2"):
        pairs = zip(across(metric, "glm", "solar"), across(metric, "glm", "phi"), strict=True)
        closer.append(share([x > y if metric == "pearson" else x < y for x, y in pairs]))
    return {
        "hyunwoong.title.not_derived": (None, False),  # no figure of norms decides it
        "hyunwoong.s5.no_consistent_evidence": (closer.count(1), closer.count(1) == 0),
        "hyunwoong.s5.no_consistent_evidence@beside_a_relative": (
            solar,
            abs(solar - phi) < abs(solar - intellect),
        ),
    }


@pytest.mark.slow
def test_every_item_is_what_numpy_computes(twelve_run: Run) -> None:
    checks = about_weights(twelve_run, "hyunwoong")
    # two ways to the same number: nothing but rounding can be observed, and numpy rounds in its own way
    same = checks.pop(f"{S4}_1.pearson_like_centered")
    assert same.holds
    assert 0 <= (same.observed or 0) < 1e-12
    answers = section_1() | section_2() | section_3() | section_4_distances() | section_4_closeness()
    assert_same(checks, answers | projections() | descent() | expected_of_derived())


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


def test_a_solar_that_follows_glm_would_be_evidence_and_still_no_proof_of_descent(twelve: Lake) -> None:
    claim = read_claim(CLAIMS / "hyunwoong" / "not_derived.sql")
    with open_catalog(twelve) as connection:
        relative = "case model_b when 'intellect' then 0.9 when 'solar' then 0.8 else 0.0 end"
        connection.execute(f"""
            create temp table matched_layers as
            select * replace ({relative} as pearson) from matched_layers
        """)
        found = connection.execute(f"select item, reading, holds, observed from ({claim.query})").fetchall()
    assert [row[1:] for row in found if row[0] == "hyunwoong.title.not_derived"] == [("plain", None, None)]
    evidence = {reading: holds for item, reading, holds, _ in found if item.startswith("hyunwoong.s5.")}
    assert evidence == {"plain": False, "beside_a_relative": False}


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
