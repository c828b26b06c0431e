"""Laws that the metrics obey for all vectors, on vectors that hypothesis generates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.sql.conftest import rows
from tests.sql.expected import Doubles, pair_metrics
from tests.sql.lakes import INPUT, Values, bf16, write_lake
from warehouse.catalog.catalog import open_catalog

EXACT = 1e-12
WIDTH, COUNT = 32, 8
laws = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
# Multiples of 1/256 up to 4: sums and products are exact in float64, so that a law can be tested sharply.
numbers = st.integers(-1024, 1024).map(lambda n: np.float32(n / 256))
stacks = hnp.arrays(np.float32, (COUNT, WIDTH), elements=numbers)


Pairs = dict[tuple[int, int], dict[str, Any]]


def pairs_by_layers(connection: duckdb.DuckDBPyConnection, count: int) -> Pairs:
    """The rows of a stack as layers of a model, through Parquet, packing and `pairs`."""
    found = {(row["layer_a"], row["layer_b"]): row for row in rows(connection, "from pairs")}
    assert len(found) == count**2
    return found


@pytest.mark.slow
@laws
@given(stack=stacks, shift=st.integers(-8, 8), scale=st.sampled_from([0.25, 0.5, 2, 16]))
def test_laws_of_pairs_and_vectors(tmp_path: Path, stack: Values, shift: int, scale: float) -> None:
    """The pairs of a stack and, in the same lake, of the stack shifted and scaled."""
    both = np.concatenate([stack, (stack * scale + shift).astype(np.float32)])
    layers = {(layer, INPUT): row for layer, row in enumerate(both)}
    with open_catalog(write_lake(tmp_path / "lake", {"a": layers})) as connection:
        pairs = pairs_by_layers(connection, len(both))
        vectors = rows(connection, "from vector_stats")
    assert_symmetric_but_for_rel_l2(pairs, both)
    assert_like_itself_and_the_sum_of_two_shares(pairs, both)
    for i in range(COUNT):
        for j in range(COUNT):
            plain, moved = pairs[i, j]["pearson"], pairs[i, j + COUNT]["pearson"]
            assert moved == (None if plain is None else pytest.approx(plain, abs=EXACT))
    assert len(vectors) == len(both)
    for row in vectors:
        if both[row["layer"]].any():
            assert row["offset_part"] ** 2 + row["pattern_part"] ** 2 == pytest.approx(1, abs=EXACT)


def assert_symmetric_but_for_rel_l2(pairs: Pairs, stack: Values) -> None:
    """`rel_l2` is relative to the first."""
    for (i, j), row in pairs.items():
        back = pairs[j, i]
        for name in row.keys() - {"layer_a", "layer_b", "rel_l2"}:
            assert row[name] == back[name], name
        if stack[i].any():
            assert row["rel_l2"] * np.linalg.norm(stack[i].astype(float)) == pytest.approx(row["l2_distance"])


def assert_like_itself_and_the_sum_of_two_shares(pairs: Pairs, stack: Values) -> None:
    for (i, j), row in pairs.items():
        if i == j:
            assert row["l2_distance"] == 0
            assert row["cosine"] == (pytest.approx(1, abs=EXACT) if stack[i].any() else None)
            assert row["pearson"] == (pytest.approx(1, abs=EXACT) if np.ptp(stack[i]) else None)
        elif stack[i].any() and stack[j].any():
            assert row["cosine"] == row["offset_share"] + row["pattern_share"]
            assert row["cosine"] == pytest.approx(pair_metrics(stack[i], stack[j])["cosine"], abs=EXACT)


@pytest.mark.slow
def test_the_offset_share_and_permutation_z_are_those_of_a_brute_force_permutation_test(
    tmp_path: Path,
) -> None:
    random = np.random.default_rng(5)
    first = random.normal(1, 0.3, 48)
    a, b = bf16(first), bf16(0.6 * first + random.normal(0.2, 0.2, 48))
    with open_catalog(write_lake(tmp_path / "lake", {"a": {(0, INPUT): a, (1, INPUT): b}})) as connection:
        row = pairs_by_layers(connection, 2)[0, 1]
    cosines = permuted_cosines(a.astype(float), b.astype(float), 20_000)
    error = np.std(cosines) / np.sqrt(len(cosines))
    assert row["offset_share"] == pytest.approx(np.mean(cosines), abs=5 * error)
    brute = (row["cosine"] - np.mean(cosines)) / np.std(cosines)
    assert row["permutation_z"] == pytest.approx(brute, rel=0.03)


def permuted_cosines(a: Doubles, b: Doubles, count: int) -> Sequence[float]:
    random = np.random.default_rng(6)
    lengths = np.linalg.norm(a) * np.linalg.norm(b)
    return [float(a @ random.permutation(b) / lengths) for _ in range(count)]
