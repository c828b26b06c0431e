"""What mathematics decides, recomputed in numpy; and which of it cannot fail and is called a definition."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.claims.results import DEFINITION, Reading, read_items
from tests.claims.by_numpy import Doubles, cosine, pearson

# Sums and figures that their authors could have got wrong; all else that is analytic is a definition.
CAN_FAIL = {
    "sionic.a1.gamma_init_1",
    "sionic.a1.beta_init_0",
    "sionic.fig1.r_0_02_negligible",
    *(f"cho.{name}" for name in ("demo.cosine_0_9999", "demo.pearson_0_0012", "proof.mean_dominates")),
    *(f"cho.script.{name}" for name in ("cosine", "pearson", "says_99_9")),
    "sionic.intro.pearson_not_significant",
    "sionic.scale.ones_norm_64",
    "sionic.scale.swamping_is_cancellation",
    *(f"sionic.fig0.{name}" for name in ("cosine", "angle_raw", "angle_of_0_96")),
    *(f"sionic.fig0.{name}" for name in ("pearson", "angle_centered", "angle_of_minus_0_60")),
    "sionic.fig3_1b.conversion_noise_would_be_uniform",
    "sionic.fig6.height_explains_no_diagonal",
    "sionic.scope.parameter_count_190k",
    "sionic.scope.share_below_0_0002_percent",
    "sionic.d2_2.offdiag_count_2162",
    *(f"critique.exp6_1.{aggregate}.cosine" for aggregate in ("mean", "std")),
    *(f"critique.exp6_1.{aggregate}.pearson" for aggregate in ("mean", "std")),
    *(f"critique.exp6_1.{aggregate}.l2_distance" for aggregate in ("mean", "std")),
    "critique.readme.ln_size_8kb",
    "cisco.nlf.example_262144",
    "cisco.nlf.size_500_kb",
    "critique.readme.share_below_0_00001_percent",
    *(f"accusation.readme.{name}" for name in ("p_value", "p_practically_zero")),
    *(f"accusation.report.{name}" for name in ("p_300", "sig.z_485")),
    *(f"accusation.report.emb.{name}" for name in ("zero_because_ids_differ", "zero_is_natural")),
    *(
        f"accusation.output.all.{name}"
        for name in ("random_baseline", "random_pearson", "sigma_above_random")
    ),
    *(f"accusation.output.{name}" for name in ("all.reading", "decay.reading_of_low_pearson")),
    *(f"accusation.output.{name}" for name in ("emb.null_0_0156", "final.always_high", "final.key_metric")),
}


def test_identities_on_vectors_written_for_the_purpose_are_no_evidence() -> None:
    items = read_items().values()
    assert {item.item for item in items if item.evidence == "analytic"} == CAN_FAIL
    definitions = {item.item for item in items if item.evidence == DEFINITION}
    assert {"sionic.a1.layernorm_formula", "sionic.a4.pearson_equals_centered_cosine"} < definitions


@pytest.mark.parametrize(
    "item", ["sionic.a1.gamma_init_1", "sionic.a1.beta_init_0", "sionic.scale.fp32_practice"]
)
def test_what_no_figure_can_decide_has_none(checks: dict[str, Reading], item: str) -> None:
    assert checks[item].is_undefined


def test_a_shared_part_raises_the_cosine_and_a_factor_does_not(checks: dict[str, Reading]) -> None:
    dims = np.arange(4096)
    a, b = np.sin(dims) / 10, np.cos(2 * dims) / 10
    rise = cosine(1 + a, 1 + b) - cosine(a, b)
    assert checks["sionic.scale.global_scale_raises_cosine"].observed == pytest.approx(rise)
    assert cosine(1 + a, 2.8 * (1 + b)) == pytest.approx(cosine(1 + a, 1 + b), abs=1e-12)
    assert not checks["sionic.fig6.height_explains_no_diagonal"].holds
    assert not checks["sionic.fig6.height_explains_no_diagonal@added"].holds


def test_a_small_addend_is_lost_without_any_loss_of_relative_accuracy(checks: dict[str, Reading]) -> None:
    assert checks["sionic.scale.swamping"].observed == 9
    for kind, bits in ((np.float16, 11), (np.float32, 24)):
        total = kind(1) + kind(2.0**-bits)
        assert total == 1
        assert abs(float(total) - (1 + 2.0**-bits)) <= 2.0**-bits
    assert checks["sionic.scale.swamping_is_cancellation"].holds
    assert not checks["sionic.scale.swamping_is_cancellation@cancellation"].holds


def test_conversions_change_the_share_of_values_that_numpy_finds(checks: dict[str, Reading]) -> None:
    """Rounded to FP16 first, or cut off, against rounded to BF16: alike for weights of any size."""
    differences = []
    dims = np.arange(4096)
    for convert in (through_fp16, cut_to_bf16):
        shares = []
        for size in (0.04, 0.3, 1.0):
            values = size * (1 + np.cos(3 * dims) / 7)
            shares.append(np.mean(convert(values) != bf16(values)))
        assert min(shares) > 0.01
        differences.append(max(shares) - min(shares))
    check = checks["sionic.fig3_1b.conversion_noise_would_be_uniform"]
    assert check.observed == pytest.approx(max(differences))
    assert check.holds == (max(differences) < 0.1)


def test_chance_spreads_pearson_more_than_twice_as_far_as_d2_3(checks: dict[str, Reading]) -> None:
    random = np.random.default_rng(0)
    by_chance = np.std([pearson(*random.normal(size=(2, 4096))) for _ in range(400)])
    for scope, printed in (("matched_layers", 0.0048), ("mismatched_pairs", 0.0052)):
        observed = checks[f"findings.d2_3_pearson_spread.{scope}"].observed
        assert observed == pytest.approx(printed / by_chance, rel=0.15)


def bf16(values: Doubles) -> Doubles:
    """Rounded to eight significant bits, ties to even."""
    step = 2.0 ** (np.floor(np.log2(values)) - 7)
    return np.asarray(np.round(values / step) * step)


def through_fp16(values: Doubles) -> Doubles:
    return bf16(values.astype(np.float16).astype(np.float64))


def cut_to_bf16(values: Doubles) -> Doubles:
    bits = values.astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)
    return bits.view(np.float32).astype(np.float64)
