"""Our own inferences return what numpy computes from the planted weights and from the printed figures."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from analysis.claims.claim_file import FINDINGS, read_claims
from analysis.claims.results import Reading, Run
from analysis.claims.run import run_claims
from tests.claims.by_numpy import of_findings, pearson
from tests.claims.planted import INPUT, LAYERS, POST, WIDTH, vector
from tests.claims.test_verdicts import figure
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake

MODELS = [model for model in LAYERS if not model.startswith("qwen3")]
KNOWN = {("glm", "intellect"), ("mistral_7b", "mixtral"), ("yi_6b", "yi_9b")}


@pytest.fixture(scope="module")
def found(twelve_run: Run) -> dict[str, Reading]:
    """Every check by `finding.check`."""
    return {item.removeprefix("findings."): reading for item, reading in of_findings(twelve_run).items()}


def observed(checks: dict[str, Reading], item: str) -> float:
    value = checks[item].observed
    assert value is not None
    return value


def u(values: np.ndarray) -> float:
    """Cosine of the angle to (1, …, 1)."""
    return float(values.sum() / np.linalg.norm(values) / math.sqrt(len(values)))


@pytest.mark.slow
def test_what_the_printed_figures_imply_is_shown_without_a_model(printed_lake: Lake) -> None:
    findings = [one for one in read_claims(FINDINGS)[0] if one.evidence == "printed"]
    with open_catalog(printed_lake) as connection:
        run = run_claims(connection, [], findings=findings)
    assert run.broken == []
    assert {one.claim.id: one.verdict for one in run.findings} == {one.id: "shown" for one in findings}


@pytest.mark.slow
def test_factors_are_the_angles_to_the_ones_vector(found: dict[str, Reading]) -> None:
    for a, b in combinations(("solar", "glm", "phi", "mixtral"), 2):
        product = u(vector(a, INPUT, 10)) * u(vector(b, INPUT, 10))
        assert observed(found, f"exp3_factorises_measured.{a}_{b}") == pytest.approx(product, rel=1e-12)
        assert found[f"exp3_factorises_measured.{a}_{b}"].expected == figure(f"critique.exp3.cosine.{a}_{b}")


def test_the_means_leave_what_the_patterns_share(found: dict[str, Reading]) -> None:
    cosines, offsets = [], []
    for a, b in combinations(sorted(MODELS), 2):
        if (a, b) not in KNOWN:
            for layer in range(min(LAYERS[a], LAYERS[b])):
                for norm in (INPUT, POST):
                    x, y = vector(a, norm, layer), vector(b, norm, layer)
                    cosines.append(x @ y / np.linalg.norm(x) / np.linalg.norm(y))
                    offsets.append(u(x) * u(y))
    remainder = np.abs(np.array(cosines) - offsets).max()
    assert observed(found, "offset_predicts_cosine.unrelated") == pytest.approx(remainder, rel=1e-9)
    agreement = np.corrcoef(cosines, offsets)[0, 1]
    assert observed(found, "offset_predicts_cosine.ranking") == pytest.approx(agreement, rel=1e-9)
    assert observed(found, "offset_predicts_cosine.identity") < 1e-12


def test_a_derived_pair_keeps_its_pattern(found: dict[str, Reading]) -> None:
    shares = []
    for layer in range(LAYERS["intellect"]):
        for norm in (INPUT, POST):
            x, y = vector("glm", norm, layer), vector("intellect", norm, layer)
            shares.append((x - x.mean()) @ (y - y.mean()) / np.linalg.norm(x) / np.linalg.norm(y))
    assert observed(found, "offset_predicts_cosine.derived") == pytest.approx(max(shares), rel=1e-9)


def test_z_is_the_distance_from_shuffled_dimensions(found: dict[str, Reading]) -> None:
    random = np.random.default_rng(7)
    x, y = vector("glm", INPUT, 20), vector("solar", INPUT, 20)
    shuffled = np.array([x @ random.permutation(y) for _ in range(20_000)])
    z = (x @ y - shuffled.mean()) / shuffled.std()
    assert observed(found, "honest_sigma_measured.layer20") == pytest.approx(z, abs=0.05)


def test_z_of_the_derivation_is_its_smallest(found: dict[str, Reading]) -> None:
    layers = (10, 20, 30, 40)
    smallest = min(pearson(vector("glm", INPUT, n), vector("intellect", INPUT, n)) for n in layers)
    assert observed(found, "honest_sigma_measured.derivation") == pytest.approx(
        smallest * math.sqrt(WIDTH - 1), rel=1e-9
    )
    assert found["honest_sigma_measured.derivation"].holds


def test_k_eff_is_what_one_joint_permutation_of_all_layers_leaves(found: dict[str, Reading]) -> None:
    """The deviation of the mean over layers when one model's dimensions are shuffled alike in all."""

    def standard(model: str) -> np.ndarray:
        rows = np.array([vector(model, INPUT, layer) for layer in range(LAYERS["glm"])])
        rows -= rows.mean(axis=1, keepdims=True)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))

    solar, glm = standard("solar"), standard("glm")
    mean = float((solar * glm).sum() / len(glm))
    assert observed(found, "mean_pearson_over_layers.z_naive") == pytest.approx(
        mean * math.sqrt(len(glm) * (WIDTH - 1)), rel=1e-9
    )
    random = np.random.default_rng(11)
    shuffled = [(solar * glm[:, random.permutation(WIDTH)]).sum() / len(glm) for _ in range(20_000)]
    z_eff = observed(found, "mean_pearson_over_layers.z_eff")
    assert z_eff == pytest.approx(mean / np.std(shuffled), rel=0.03)
    k_eff = observed(found, "mean_pearson_over_layers.k_eff")
    assert z_eff == pytest.approx(mean * math.sqrt(k_eff * (WIDTH - 1)), rel=1e-9)
    assert 1 < k_eff < len(glm)


def test_steps_by_model_and_bits_of_the_extremes(found: dict[str, Reading]) -> None:
    gains = []
    for model in MODELS:
        steps, bits = [], []
        for layer in range(LAYERS[model]):
            for norm in (INPUT, POST):
                values = vector(model, norm, layer)
                mean, std = values.mean(), values.std()
                steps.append(std / 2.0 ** (math.floor(math.log2(abs(mean))) - 7))
                bits.append(math.log2(math.hypot(mean, std) / math.hypot(mean - 1, std)))
        assert observed(found, f"bf16_steps.{model}") == pytest.approx(min(steps), rel=1e-9)
        gains.append(np.mean(bits))
    assert observed(found, "gamma_minus_one.some_gain") == pytest.approx(max(gains), rel=1e-9)
    assert observed(found, "gamma_minus_one.some_lose") == pytest.approx(min(gains), rel=1e-9)


def test_printed_correlations_in_standard_deviations(found: dict[str, Reading]) -> None:
    for pair in ("solar_glm", "solar_phi", "glm_mixtral"):
        across = figure(f"critique.exp6_2.pearson.{pair}") * math.sqrt(4095)
        assert observed(found, f"honest_sigma.{pair}") == pytest.approx(across)
    for model in ("solar", "glm"):
        within = figure(f"critique.exp6_4.pearson.{model}") * math.sqrt(4095)
        assert observed(found, f"honest_sigma.{model}_layers_0_10") == pytest.approx(within)


def test_random_vectors_of_a_spread_have_the_cosine_of_the_baseline(found: dict[str, Reading]) -> None:
    """1 / (1 + c²), at the widest spread that experiment 3 implies, 0.31."""
    random = np.random.default_rng(3)
    baseline = observed(found, "exp6_random.widest_spread")
    spread = math.sqrt(1 / baseline - 1)
    assert spread == pytest.approx(0.31, abs=0.01)
    a, b = random.normal(1, spread, (2, 200, 4096))
    cosines = (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    assert cosines.mean() == pytest.approx(baseline, abs=0.001)


def test_the_averages_of_d2_can_stand_and_its_spread_and_half_of_its_rows_cannot(
    found: dict[str, Reading],
) -> None:
    assert observed(found, "d2_and_experiments.rows") == len([0, 10, 15, 20, 25])
    # 0.161 at layer 0 and 0.9497 on average need this much spread
    assert observed(found, "d2_and_experiments.deviation") == pytest.approx(
        (0.9497 - 0.1614) / math.sqrt(46), abs=1e-4
    )


def test_rows_of_d2_1_that_fit_experiment_4_are_left_out(found: dict[str, Reading]) -> None:
    listed = {name for name in found if name.startswith("d2_1_against_exp4.layer")}
    assert listed == {f"d2_1_against_exp4.layer{layer}" for layer in (15, 20, 25)}
