"""What the documents' own figures and mathematics decide, item by item, wherever the claims are run.

The sets pin what the queries answered when they were written, compared with a separate reading of the
documents; they guard against change and prove nothing. The tests below them recompute some of it in numpy.
"""

from __future__ import annotations

import csv
import itertools
import math
from functools import cache

import numpy as np
import pytest

from analysis.claims.results import Reading
from warehouse.documents import PRINTED_CSV

FALSE_IN_THE_DOCUMENTS = {
    "sionic.conclusion.three_conclusions",  # two are enumerated
    "sionic.fig6.height_explains_no_diagonal",  # cosine and Pearson are invariant to scale
    "critique.readme.nine_model_matrix",  # 28 pairs are of eight models
    "critique.readme.five_moe_models",  # four are listed
    "sionic.references.ref11_dettmers",  # arXiv lists Wei and seven others
    "critique.readme.run_files",  # the file tree has one of four
    "critique.readme.expected_fair_0_98",  # 0.9921 and 0.9979
    "accusation.output.final.key_metric",  # 0.98 without a common pattern
    "accusation.readme.emb.vocabulary_extends_glm",  # Solar has 53 % of GLM's tokens
    "accusation.report.emb.zero_because_ids_differ",  # rows are matched by their text
    "accusation.report.emb.zero_is_natural",
    "accusation.report.sig.samples_262144",  # a norm has 4096 values
    "accusation.report.summary.architecture_90",  # six of nine
}
FALSE_IN_A_SECOND_READING = {
    "sionic.scale.swamping_is_cancellation@cancellation",
    "sionic.d2_1.average_row_vs_rows.cosine@listed_rows",  # their mean is 0.94956, not 0.9497
    "sionic.d2_1.average_row_vs_rows.pearson@listed_rows",  # 0.01263, not 0.0130
    "sionic.f8.core_uses_all_layers@of_solar",  # its layer 47 is left out, as the table says
    "sionic.s2.matched_mismatched_gap_negligible@in_deviations",  # 3.2 of them
    "cho.script.says_99_9@rounded",  # 99.96 %
    "cho.demo.parameters@as_in_script",  # 0.02
    "sionic.fig6.height_explains_no_diagonal@added",  # a lower offset makes it more distinct
    "sionic.intro.pearson_not_significant@mean_over_layers",  # 6.6, if layers were independent
    "critique.models.non_moe_five@compared",  # four
    "critique.readme.expected_fair_minus_cross_0",  # 0.0139, though negligible beside 0.60
    "accusation.output.all.reading@length",
    "accusation.output.decay.reading_of_low_pearson@length",
    "accusation.readme.final.moe_structure_same@widths",  # 1408 and 1280
    "accusation.readme.p_practically_zero@permutations",  # 1 of 70 at best
    "accusation.readme.p_value@permutations",
    "accusation.readme.p_value@t_test",  # 5e-13
    "accusation.report.vocab.rebuilt@tokens",  # 53 % are
}
FALSE = FALSE_IN_THE_DOCUMENTS | FALSE_IN_A_SECOND_READING


@cache
def figure(item: str, document: str = "critique_results") -> float:
    with PRINTED_CSV.open(encoding="utf-8", newline="") as file:
        values = {
            row["value"] for row in csv.DictReader(file) if (row["item"], row["document"]) == (item, document)
        }
    [value] = {float(text) for text in values}
    return value


def test_exactly_what_is_false_does_not_hold(checks: dict[str, Reading]) -> None:
    """What nothing here can decide is not false; every finding is shown."""
    assert {item for item, check in checks.items() if not check.holds and not check.is_undefined} == FALSE


def test_the_factors_of_experiment_3_are_those_of_a_least_squares_solver(checks: dict[str, Reading]) -> None:
    models = ("solar", "glm", "phi", "mixtral")
    pairs = list(itertools.combinations(range(4), 2))
    cosines = np.array([figure(f"critique.exp3.cosine.{models[a]}_{models[b]}") for a, b in pairs])
    design = np.zeros((6, 4))
    for row, pair in enumerate(pairs):
        design[row, list(pair)] = 1
    factors = np.exp(np.linalg.lstsq(design, np.log(cosines), rcond=None)[0])
    residuals = [cosine - factors[a] * factors[b] for cosine, (a, b) in zip(cosines, pairs, strict=True)]
    assert checks["findings.exp3_factorises.six_pairs"].observed == pytest.approx(max(np.abs(residuals)))
    spread = np.sqrt(1 - factors**2) / factors
    observed = checks["findings.coefficients_of_variation.solar_glm"].observed
    assert observed == pytest.approx(spread[0] - spread[1])


def test_the_overall_spread_of_experiment_4_is_that_of_36_numbers(checks: dict[str, Reading]) -> None:
    layers = {layer: f"critique.exp4.{{}}.layer{layer}" for layer in (5, 15, 20, 25, 30)} | {
        10: "critique.exp3.{}"
    }
    half_spread = [(figure(name.format("mean")), figure(name.format("std"))) for name in layers.values()]
    # six numbers with that mean and standard deviation: three below, three above
    numbers = [mean + sign * std for mean, std in half_spread for sign in (-1, 1) for _ in range(3)]
    assert len(numbers) == checks["critique.exp4.count_36"].observed
    assert checks["critique.exp4.overall_std"].observed == pytest.approx(np.std(numbers))
    assert checks["critique.exp4.overall_mean"].observed == pytest.approx(np.mean(numbers))


def test_no_vectors_break_the_bounds_that_the_claims_rest_on() -> None:
    """Samuelson, the cap on a cosine, and the longest side of a triangle, on random vectors."""
    random = np.random.default_rng(0)
    for _ in range(300):
        numbers = random.normal(size=6) ** 3
        assert np.abs(numbers - numbers.mean()).max() <= numbers.std() * math.sqrt(5) * (1 + 1e-12)
        a, b = random.normal(random.uniform(0, 3), 1, 40), random.normal(random.uniform(0, 3), 1, 40)
        lengths = np.linalg.norm(a), np.linalg.norm(b)
        cosine, r = a @ b / math.prod(lengths), np.corrcoef(a, b)[0, 1]
        u = math.sqrt(40) * a.mean() / lengths[0]
        assert cosine <= math.hypot(u, r * math.sqrt(1 - u**2)) + 1e-12
        assert max(lengths) <= np.linalg.norm(a - b) / math.sqrt(1 - cosine**2) + 1e-9


def test_182_sigma_is_an_effect_size_over_four_and_four_layers(checks: dict[str, Reading]) -> None:
    names = {"within": "within.glm_0_{}", "across": "cross.layer_{}"}
    within, across = (
        [figure(f"accusation.readme.{name.format(layer)}", "accusation") for layer in (10, 20, 30, 40)]
        for name in names.values()
    )
    pooled = math.sqrt((np.var(within) + np.var(across)) / 2)
    sigma = checks["critique.readme.bg.sigma_182"].observed
    assert sigma == pytest.approx((np.mean(across) - np.mean(within)) / pooled)
    assert sigma == pytest.approx(181.94, abs=0.005)
