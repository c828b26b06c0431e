"""The replica's bytes have the published statistics."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from ingest.replica.patterns import bf16_bits, correlation_matrix, from_bf16_bits, to_bf16
from ingest.replica.population import synthetic
from ingest.replica.published import (
    GLM,
    INTERNLM2_7B,
    MISTRAL_7B,
    MIXTRAL,
    PHI,
    PUBLISHED,
    QWEN3_4B,
    QWEN3_14B,
    QWEN15_7B,
    SOLAR,
    YI_6B,
    YI_9B,
    NormFacts,
)
from ingest.replica.repos import replica_repos
from tests.replica.reading import REPOS, cosine, index, norms, pearson, vector

INPUT, POST = "input_layernorm", "post_attention_layernorm"
# models with statistics of their own
OWN = [repo for repo, facts in PUBLISHED.items() if facts.norms]
LAYERS = {repo: facts.config["num_hidden_layers"] for repo, facts in PUBLISHED.items()}


def layers_of(repo: str, kind: str = INPUT) -> np.ndarray:
    if repo == INTERNLM2_7B:
        kind = {INPUT: "attention_norm", POST: "ffn_norm"}[kind]
    return norms(repo, kind, LAYERS[repo])


def norms_of(repo: str) -> tuple[NormFacts, NormFacts]:
    found = PUBLISHED[repo].norms
    assert found
    return found


@pytest.mark.parametrize("kind", [INPUT, POST])
@pytest.mark.parametrize("repo", OWN)
def test_mean_and_spread_of_each_given_layer_come_back(repo: str, kind: str) -> None:
    facts, values = norms_of(repo)[kind == POST], layers_of(repo, kind)
    for (at, means), (_, stds) in [(facts.mean, facts.std)]:
        for layer, mean, std in zip(at, means, stds, strict=True):
            # BF16 keeps 8 bits; rounding moves a mean by far less than a spread's hundredth.
            assert values[int(layer)].mean() == pytest.approx(mean, abs=std / 100)
            assert values[int(layer)].std() == pytest.approx(std, rel=0.01)


@pytest.mark.parametrize(
    ("repo", "kind", "layer", "mean", "std"),
    [
        (SOLAR, INPUT, 10, 0.236, 0.0410),
        (SOLAR, POST, 45, 0.975, 0.0668),
        (GLM, INPUT, 0, 0.0109, 0.0271),
        (GLM, POST, 43, 2.32, 0.0983),
        (PHI, INPUT, 31, 0.165, 0.039),
        (PHI, POST, 30, 0.84, 0.84 * 0.058),
        (MIXTRAL, INPUT, 10, 1.57, 0.49),
        (GLM, INPUT, 46, 1.07, 0.03),
        (GLM, POST, 46, 1.07, 0.03),
    ],
)
def test_printed_figures_come_back(repo: str, kind: str, layer: int, mean: float, std: float) -> None:
    values = vector(repo, f"model.layers.{layer}.{kind}.weight")
    assert values.mean() == pytest.approx(mean, rel=0.01)
    assert values.std() == pytest.approx(std, rel=0.01)


def test_layers_between_the_given_ones_lie_between_them() -> None:
    solar = layers_of(SOLAR)
    assert solar[22].mean() == pytest.approx(0.322 + 2 / 5 * (0.318 - 0.322), rel=0.002)


@pytest.mark.parametrize(
    ("repo", "kind", "r10_20", "r10_30", "r20_30"),
    [
        (SOLAR, INPUT, 0.46, 0.35, 0.63),
        (SOLAR, POST, 0.84, 0.58, 0.80),
        (GLM, INPUT, 0.77, 0.65, 0.62),
        (GLM, POST, 0.83, 0.62, 0.88),
        (PHI, INPUT, 0.74, 0.26, 0.37),
        (PHI, POST, 0.74, 0.25, 0.48),
    ],
)
def test_a_models_own_layers_correlate_as_published(
    repo: str, kind: str, r10_20: float, r10_30: float, r20_30: float
) -> None:
    at = layers_of(repo, kind)
    measured = [pearson(at[10], at[20]), pearson(at[10], at[30]), pearson(at[20], at[30])]
    assert measured == pytest.approx([r10_20, r10_30, r20_30], abs=0.002)


@pytest.mark.parametrize("repo", OWN)
def test_planted_correlations_are_possible(repo: str) -> None:
    for facts in norms_of(repo):
        assert np.linalg.eigvalsh(correlation_matrix(facts)).min() > 0.01


def test_layer_0_of_the_input_norm_is_unlike_layer_10() -> None:
    solar, glm = layers_of(SOLAR), layers_of(GLM)
    assert pearson(solar[0], solar[10]) == pytest.approx(0.04, abs=0.002)
    assert pearson(glm[0], glm[10]) == pytest.approx(0.05, abs=0.002)
    assert cosine(solar[0], solar[10]) == pytest.approx(0.373, abs=0.001)
    assert cosine(glm[0], glm[10]) == pytest.approx(0.376, abs=0.001)


@pytest.mark.parametrize("repo", [SOLAR, GLM, PHI])
def test_layer_0_of_the_post_norm_is_like_all_later_ones_by_cosine(repo: str) -> None:
    first, *later = layers_of(repo, POST)
    assert min(cosine(first, other) for other in later) > 0.92


def test_solar_and_glm_are_independent_but_for_a_trace() -> None:
    solar, glm = layers_of(SOLAR), layers_of(GLM)
    matched = [pearson(solar[n], glm[n]) for n in range(46)]
    assert np.mean(matched) == pytest.approx(0.013, abs=0.002)
    assert np.std(matched) == pytest.approx(0.016, abs=0.002)
    post = [pearson(a, b) for a, b in zip(layers_of(SOLAR, POST), layers_of(GLM, POST), strict=False)]
    assert abs(np.mean(post)) < 0.01


def test_single_layer_pairs_of_glm_and_phi_reach_a_tenth() -> None:
    grid = np.corrcoef(layers_of(GLM), layers_of(PHI))[:46, 46:]
    assert 0.08 < grid.max() < 0.13
    assert abs(np.median(grid)) < 0.05


@pytest.mark.parametrize("kind", [INPUT, POST])
def test_models_of_different_makers_do_not_correlate(kind: str) -> None:
    makers = [SOLAR, GLM, PHI, MISTRAL_7B, YI_6B, INTERNLM2_7B, QWEN15_7B]
    for one, other in combinations(makers, 2):
        matched = [pearson(a, b) for a, b in zip(layers_of(one, kind), layers_of(other, kind), strict=False)]
        # Chance alone gives an sd of 1/√4095 = 0.016, and the layers of a model are not independent.
        assert abs(np.mean(matched)) < 0.06, (one, other)


def test_dense_models_at_layer_10_have_the_published_variation_and_cosines() -> None:
    dense = {repo: layers_of(repo)[10] for repo in (MISTRAL_7B, YI_6B, YI_9B, INTERNLM2_7B, QWEN15_7B)}
    assert all(0.10 <= values.std() / values.mean() <= 0.30 for values in dense.values())
    cosines = {pair: cosine(dense[pair[0]], dense[pair[1]]) for pair in combinations(dense, 2)}
    assert np.mean(list(cosines.values())) == pytest.approx(0.97, abs=0.005)
    related = cosines.pop((YI_6B, YI_9B))
    assert all(0.95 <= value <= 0.99 for value in cosines.values())
    assert related > 0.99


def test_qwen3_layers_resemble_each_other_as_published() -> None:
    small = layers_of(QWEN3_4B)
    assert [cosine(small[0], small[n]) for n in (15, 20)] == pytest.approx([0.8, 0.8], abs=0.01)
    assert [cosine(small[10], small[n]) for n in (15, 20)] == pytest.approx([0.97, 0.97], abs=0.005)
    first, *later = layers_of(QWEN3_4B, POST)
    assert min(cosine(first, other) for other in later) > 0.94
    for kind in (INPUT, POST):
        large = layers_of(QWEN3_14B, kind)
        assert min(cosine(large[0], large[n]) for n in (15, 20)) > 0.9


@pytest.mark.parametrize("repo", PUBLISHED)
def test_every_norm_tensor_has_values(repo: str) -> None:
    names = [name for name in index(repo)["weight_map"] if "norm" in name]
    assert len(names) >= 2 * LAYERS[repo] + 1
    for name in names:
        values = vector(repo, name)
        assert np.isfinite(values).all()
        assert values.std() > 0
        assert name.endswith(".bias") or values.mean() > 0


@pytest.mark.slow
def test_projections_are_normal_and_independent_between_models_and_layers() -> None:
    drawn = {
        (repo, layer, part): vector(repo, f"model.layers.{layer}.self_attn.{part}_proj.weight")
        for repo in (SOLAR, GLM)
        for layer, part in ((10, "k"), (20, "k"), (10, "v"))
    }
    for values in drawn.values():
        assert values.size == 1024 * 4096
        assert 0.02 <= values.std() <= 0.05
        assert abs(values.mean()) < 1e-4
    for one, other in combinations(drawn.values(), 2):
        assert abs(cosine(one, other)) < 0.002


def test_a_range_inside_a_projection_is_the_same_bytes_as_the_whole() -> None:
    shard = index(PHI)["weight_map"]["model.layers.10.self_attn.k_proj.weight"]
    file = REPOS[PHI].files[shard]
    at = file.size // 2 + 1
    whole = file.read(at, at + 400_000)
    assert b"".join(file.read(at + n, at + n + 1013) for n in range(0, 400_000, 1013))[:400_000] == whole


def test_two_generations_are_byte_identical() -> None:
    from ingest.replica import values

    tensor = "model.layers.17.input_layernorm.weight"
    before = vector(GLM, tensor)
    values.layer_norms.cache_clear()
    values._norm_bytes.cache_clear()
    again = replica_repos()[GLM]
    shard = index(GLM)["weight_map"][tensor]
    assert again.commit == REPOS[GLM].commit
    assert again.files[shard].etag == REPOS[GLM].files[shard].etag
    vector.cache_clear()
    assert np.array_equal(vector(GLM, tensor), before)


def test_bf16_rounds_to_nearest_and_ties_to_even() -> None:
    step = 2.0**-7
    given = np.array([1.0, 1 + 0.49 * step, 1 + 0.5 * step, 1 + 1.5 * step, 1 + 0.51 * step, -1 - 0.5 * step])
    expected = np.array([1.0, 1.0, 1.0, 1 + 2 * step, 1 + step, -1.0])
    assert np.array_equal(to_bf16(given), expected.astype(np.float32))
    bits = np.arange(0, 0x7F80, dtype=np.uint16)
    assert np.array_equal(bf16_bits(from_bf16_bits(bits)), bits)


@pytest.mark.parametrize("layers", [1, 2, 3, 4, 5, 6, 32])
def test_made_up_models_have_the_depth_and_width_asked_for(layers: int) -> None:
    model, other = synthetic(1, layers, 64), synthetic(2, layers, 64)
    assert set(model) == {(n, kind) for n in range(layers) for kind in (INPUT, POST)}
    assert all(row.shape == (64,) and row.dtype == np.float32 and row.std() > 0 for row in model.values())
    assert np.array_equal(model[0, INPUT], synthetic(1, layers, 64)[0, INPUT])
    assert not np.array_equal(model[0, INPUT], other[0, INPUT])
