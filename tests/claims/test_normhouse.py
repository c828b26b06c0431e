"""Our own claims return what numpy computes from the planted weights and from the printed figures."""

from __future__ import annotations

import math
from itertools import combinations

import duckdb
import numpy as np
import pytest

from analysis.claims.claim_file import read_claims
from analysis.claims.verdicts import Reading
from tests.claims.by_numpy import readings_by_name
from tests.claims.planted import INPUT, LAYERS, POST, vector
from tests.claims.test_verdicts import figure

MODELS = [model for model in LAYERS if not model.startswith("qwen3")]
KNOWN = {("glm", "intellect"), ("mistral_7b", "mixtral"), ("yi_6b", "yi_9b")}


@pytest.fixture(scope="module")
def checks(twelve_catalog: duckdb.DuckDBPyConnection) -> dict[str, Reading]:
    claims, _ = read_claims()
    found = readings_by_name(twelve_catalog, [claim for claim in claims if claim.group == "normhouse"])
    return {item.removeprefix("normhouse."): reading for item, reading in found.items()}


def observed(checks: dict[str, Reading], item: str) -> float:
    value = checks[item].observed
    assert value is not None
    return value


def u(values: np.ndarray) -> float:
    """Cosine of the angle to (1, …, 1)."""
    return float(values.sum() / np.linalg.norm(values) / math.sqrt(len(values)))


def test_factors_are_the_angles_to_the_ones_vector(checks: dict[str, Reading]) -> None:
    for a, b in combinations(("solar", "glm", "phi", "mixtral"), 2):
        product = u(vector(a, INPUT, 10)) * u(vector(b, INPUT, 10))
        assert observed(checks, f"exp3_factorises.{a}_{b}") == pytest.approx(product, rel=1e-12)
        assert checks[f"exp3_factorises.{a}_{b}"].expected == figure(f"critique.exp3.cosine.{a}_{b}")


def test_the_means_leave_what_the_patterns_share(checks: dict[str, Reading]) -> None:
    cosines, offsets = [], []
    for a, b in combinations(sorted(MODELS), 2):
        if (a, b) not in KNOWN:
            for layer in range(min(LAYERS[a], LAYERS[b])):
                for norm in (INPUT, POST):
                    x, y = vector(a, norm, layer), vector(b, norm, layer)
                    cosines.append(x @ y / np.linalg.norm(x) / np.linalg.norm(y))
                    offsets.append(u(x) * u(y))
    remainder = np.abs(np.array(cosines) - offsets).max()
    assert observed(checks, "offset_predicts_cosine.unrelated") == pytest.approx(remainder, rel=1e-9)
    agreement = np.corrcoef(cosines, offsets)[0, 1]
    assert observed(checks, "offset_predicts_cosine.ranking") == pytest.approx(agreement, rel=1e-9)
    assert observed(checks, "offset_predicts_cosine.identity") < 1e-12


def test_a_derived_pair_keeps_its_pattern(checks: dict[str, Reading]) -> None:
    shares = []
    for layer in range(LAYERS["intellect"]):
        for norm in (INPUT, POST):
            x, y = vector("glm", norm, layer), vector("intellect", norm, layer)
            shares.append((x - x.mean()) @ (y - y.mean()) / np.linalg.norm(x) / np.linalg.norm(y))
    assert observed(checks, "offset_predicts_cosine.derived") == pytest.approx(max(shares), rel=1e-9)


def test_z_is_the_distance_from_shuffled_dimensions(checks: dict[str, Reading]) -> None:
    random = np.random.default_rng(7)
    x, y = vector("glm", INPUT, 20), vector("solar", INPUT, 20)
    shuffled = np.array([x @ random.permutation(y) for _ in range(20_000)])
    z = (x @ y - shuffled.mean()) / shuffled.std()
    assert observed(checks, "honest_sigma_measured.layer20") == pytest.approx(z, abs=0.05)


def test_z_of_the_layers_together_and_of_the_derivation(checks: dict[str, Reading]) -> None:
    def z(model: str, layer: int) -> float:
        x, y = vector("glm", INPUT, layer), vector(model, INPUT, layer)
        return float(np.corrcoef(x, y)[0, 1] * math.sqrt(len(x) - 1))

    layers = (10, 20, 30, 40)
    together = math.sqrt(sum(z("solar", layer) ** 2 for layer in layers) / 4)
    assert observed(checks, "honest_sigma_measured.together") == pytest.approx(together, rel=1e-9)
    derivation = min(z("intellect", layer) for layer in layers)
    assert observed(checks, "honest_sigma_measured.derivation") == pytest.approx(derivation, rel=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_steps_and_bits_by_model(checks: dict[str, Reading], model: str) -> None:
    steps, bits = [], []
    for layer in range(LAYERS[model]):
        for norm in (INPUT, POST):
            values = vector(model, norm, layer)
            mean, std = values.mean(), values.std()
            steps.append(std / 2.0 ** (math.floor(math.log2(abs(mean))) - 7))
            bits.append(math.log2(math.hypot(mean, std) / math.hypot(mean - 1, std)))
    assert observed(checks, f"bf16_steps.{model}") == pytest.approx(min(steps), rel=1e-9)
    assert observed(checks, f"gamma_minus_one.{model}") == pytest.approx(np.mean(bits), rel=1e-9)


def test_printed_correlations_are_worth_one_sigma(checks: dict[str, Reading]) -> None:
    across = figure("critique.exp6_2.pearson.solar_glm") * math.sqrt(4095)
    assert observed(checks, "honest_sigma.critique_layer10") == pytest.approx(across)
    for model in ("solar", "glm"):
        within = figure(f"critique.exp6_4.pearson.{model}") * math.sqrt(4095)
        assert observed(checks, f"honest_sigma.layer_0_of_{model}") == pytest.approx(within)
        assert within > across
    listed = [observed(checks, f"honest_sigma.sionic_layer{layer}") for layer in (10, 20, 30, 40)]
    assert max(listed) == pytest.approx(0.0201 * math.sqrt(4095))
    assert all(check.holds for item, check in checks.items() if item.startswith("honest_sigma."))


def test_averages_of_d2_can_have_been_measured_and_its_spread_and_half_of_its_rows_cannot(
    checks: dict[str, Reading],
) -> None:
    assert checks["d2_measurable.average"].holds
    assert not checks["d2_measurable.spread"].holds
    assert not checks["d2_measurable.rows"].holds
    assert observed(checks, "d2_measurable.rows") == len([0, 10, 15, 20, 25])
    # 0.161 at layer 0 and 0.9497 on average need this much spread
    assert observed(checks, "d2_measurable.spread") == pytest.approx(
        (0.9497 - 0.1614) / math.sqrt(46), abs=1e-4
    )
