"""The models of the replica that were made from another one: INTELLECT-3, Mixtral, Yi-9B."""

from __future__ import annotations

import numpy as np
import pytest

from ingest.replica.patterns import at_layer, bf16_bits, draws, nudged, to_bf16
from ingest.replica.published import GLM, INTELLECT, MISTRAL_7B, MIXTRAL, PUBLISHED, YI_6B, YI_9B
from tests.replica.reading import norms, pearson, vector

INPUT, POST = "input_layernorm", "post_attention_layernorm"


def drift(layer: int, kind: str = INPUT) -> np.ndarray:
    return np.asarray(np.abs(norms(INTELLECT, kind, 46)[layer] - norms(GLM, kind, 46)[layer]))


SHARES = {0: 0.96, 1: 0.87, 2: 0.62, 3: 0.16, 4: 0.23, 5: 0.13, 8: 0.13, 10: 0.085, 12: 0.07}
SHARES |= {13: 0.01, 15: 0.025, 20: 0.01, 30: 0.015, 37: 0.015, 40: 0.001}


@pytest.mark.parametrize(("layer", "share"), SHARES.items())
def test_the_published_share_of_intellects_input_norm_differs_from_glm(layer: int, share: float) -> None:
    assert (drift(layer) > 0).mean() == pytest.approx(share, abs=0.0005, rel=0.02)


@pytest.mark.parametrize(
    ("layer", "difference"),
    [(0, 4.5e-4), (2, 5e-4), (3, 2.9e-4), (12, 1.4e-4), (13, 2.3e-5), (37, 6e-5), (39, 5e-6), (45, 9.5e-7)],
)
def test_intellect_differs_from_glm_by_the_published_mean(layer: int, difference: float) -> None:
    # One step of one dimension is 9.5e-7 over 4096; nothing finer can be planted.
    assert drift(layer).mean() == pytest.approx(difference, rel=0.02, abs=1e-6)


def test_layer_45_differs_by_one_step_of_one_dimension() -> None:
    glm, intellect = norms(GLM, INPUT, 46)[45], norms(INTELLECT, INPUT, 46)[45]
    (where,) = np.nonzero(glm != intellect)
    steps = bf16_bits(intellect[where]).astype(int) - bf16_bits(glm[where]).astype(int)
    assert np.abs(steps).tolist() == [1]


def test_post_and_final_norms_drift_too_but_stay_glm() -> None:
    for layer in (0, 5, 20, 45):
        assert (
            0 < (drift(layer, POST) > 0).mean() <= at_layer(PUBLISHED[INTELLECT].changed_share, layer) + 0.001
        )
        assert pearson(norms(INTELLECT, POST, 46)[layer], norms(GLM, POST, 46)[layer]) > 0.99
    final, source = vector(INTELLECT, "model.norm.weight"), vector(GLM, "model.norm.weight")
    assert 1 <= np.count_nonzero(final != source) <= 8


@pytest.mark.slow
def test_intellects_projections_are_glms_with_a_little_noise() -> None:
    name = "model.layers.10.self_attn.k_proj.weight"
    assert pearson(vector(GLM, name), vector(INTELLECT, name)) > 0.999
    assert not np.array_equal(vector(GLM, name), vector(INTELLECT, name))


def test_a_difference_too_small_for_the_share_changes_fewer_values() -> None:
    values = to_bf16(np.linspace(0.6, 0.9, 1000))
    moved = nudged(values, 0.5, 1e-5, draws("test"))
    # Steps are 1/256 in [0.5, 1): 1e-5 of mean over 1000 values is two and a half of them.
    assert np.count_nonzero(moved != values) in (2, 3)
    assert at_layer(PUBLISHED[INTELLECT].mean_abs_diff, 45) * 4096 < 2**-8


@pytest.mark.parametrize("kind", [INPUT, POST])
def test_mixtral_is_close_to_mistral_in_every_layer(kind: str) -> None:
    for one, other in zip(norms(MIXTRAL, kind, 32), norms(MISTRAL_7B, kind, 32), strict=True):
        assert pearson(one, other) == pytest.approx(0.95, abs=0.005)


@pytest.mark.parametrize("kind", [INPUT, POST])
def test_yi_9b_repeats_layers_of_yi_6b(kind: str) -> None:
    large, small = norms(YI_9B, kind, 48), norms(YI_6B, kind, 32)
    source = [*range(28), *range(12, 32)]
    for layer, origin in enumerate(source):
        assert pearson(large[layer], small[origin]) == pytest.approx(0.98, abs=0.005)
        assert large[layer].mean() == pytest.approx(small[origin].mean(), rel=0.05)
