"""`lineage` and its relatives, on a lake where every answer is known."""

from __future__ import annotations

import itertools
from typing import Any

import duckdb
import pytest

from tests.lineage.planted import planted_models
from tests.lineage.recomputed import statistics

# Columns of which other tests say what they must be; numpy recomputes all the rest.
NO_STATISTICS = {
    "model_a",
    "model_b",
    "d",
    "depth_a",
    "depth_b",
    "norms_dropped",
    "dropped",
    "obstacle",
    "verdict",
}
SHARE, NONE = "share weight history", "no sign of shared history in the norm weights"
COMPARABLE = (
    "base",
    "child",
    "stranger",
    "layers_alike",
    "also_alike",
    "half_constant",
    "pruned",
    "shifted",
    "extras",
)


def lineage(connection: duckdb.DuckDBPyConnection, one: str, other: str) -> dict[str, Any]:
    [row] = connection.sql(f"from lineage('{one}', '{other}')").to_arrow_table().to_pylist()
    return dict(row)


@pytest.fixture(scope="module")
def matrix(planted: duckdb.DuckDBPyConnection) -> dict[tuple[str, str], dict[str, Any]]:
    rows = planted.sql("from lineage_matrix").to_arrow_table().to_pylist()
    return {(row["model_a"], row["model_b"]): row for row in rows}


@pytest.mark.parametrize("pair", list(itertools.combinations(sorted(COMPARABLE), 2)), ids="-".join)
def test_every_figure_is_what_numpy_computes_from_the_definition(
    matrix: dict[tuple[str, str], dict[str, Any]], pair: tuple[str, str]
) -> None:
    models = planted_models()
    recomputed = statistics(models[pair[0]], models[pair[1]])
    assert matrix[pair].keys() == recomputed.keys() | NO_STATISTICS
    for name, expected in recomputed.items():
        assert matrix[pair][name] == pytest.approx(expected, rel=1e-9, abs=1e-12), name


def test_the_matrix_has_every_two_models_once(matrix: dict[tuple[str, str], dict[str, Any]]) -> None:
    assert sorted(matrix) == list(itertools.combinations(sorted(planted_models()), 2))


@pytest.mark.parametrize(
    "pair", [("base", "half_constant"), ("base", "folded"), ("base", "wide")], ids="-".join
)
def test_a_pair_alone_has_the_row_of_the_matrix(
    planted: duckdb.DuckDBPyConnection, matrix: dict[tuple[str, str], dict[str, Any]], pair: tuple[str, str]
) -> None:
    for name, value in lineage(planted, *pair).items():
        assert value == (
            pytest.approx(matrix[pair][name]) if isinstance(value, float) else matrix[pair][name]
        )


def test_the_order_of_the_two_models_changes_nothing_but_their_names(
    planted: duckdb.DuckDBPyConnection,
) -> None:
    forward, backward = lineage(planted, "base", "pruned"), lineage(planted, "pruned", "base")
    assert (forward["model_a"], forward["depth_a"], forward["depth_b"]) == ("base", 4, 2)
    assert (backward["model_a"], backward["depth_a"], backward["depth_b"]) == ("pruned", 2, 4)
    assert forward["z_eff"] == backward["z_eff"]


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        ("base", "child", SHARE),
        ("base", "half_constant", SHARE),
        ("base", "stranger", NONE),
        ("base", "layers_alike", NONE),
        ("base", "extras", NONE),
        (
            "base",
            "folded",
            "cannot tell: constant in folded (folded into the next matrix, or never trained)",
        ),
        ("base", "wide", "cannot tell: widths differ (64 and 96)"),
        ("base", "one_norm", SHARE),
        ("stranger", "one_norm", "cannot tell: too few norms (1)"),
        ("layers_alike", "also_alike", NONE),
        (
            "base",
            "short_stranger",
            "cannot tell: depths differ (4 and 2 layers) and layers of one number do not agree",
        ),
    ],
)
def test_the_verdict_says_what_the_norms_can_tell(
    planted: duckdb.DuckDBPyConnection, one: str, other: str, verdict: str
) -> None:
    assert lineage(planted, one, other)["verdict"] == verdict


def test_copied_qk_norms_and_biases_are_no_evidence(planted: duckdb.DuckDBPyConnection) -> None:
    row = lineage(planted, "base_with_extras", "extras")
    assert row["norms_used"] == 9
    assert row["verdict"] == NONE


def test_constant_nearly_constant_and_broken_norms_are_dropped_and_said(
    planted: duckdb.DuckDBPyConnection,
) -> None:
    row = lineage(planted, "base", "half_constant")
    assert (row["norms_used"], row["norms_dropped"]) == (5, 4)
    for reason in ("constant", "nearly constant", "NaN or Inf"):
        assert f"{reason} in half_constant" in row["dropped"]


def test_layers_that_resemble_each_other_are_not_counted_twice(planted: duckdb.DuckDBPyConnection) -> None:
    row = lineage(planted, "layers_alike", "also_alike")
    assert row["k_eff"] < 2
    assert abs(row["z_naive"]) > 2 * abs(row["z_eff"])


def test_nearest_ranks_by_evidence_which_is_not_how_alike_the_norms_are(
    planted: duckdb.DuckDBPyConnection,
) -> None:
    found = planted.sql(
        "select model, z_eff, pearson_mean from nearest('base') where rank is not null"
    ).fetchall()
    assert [model for model, _, _ in found][:2] == ["base_with_extras", "child"]
    one_norm = next(row for row in found if row[0] == "one_norm")
    child = next(row for row in found if row[0] == "child")
    assert one_norm[2] > child[2]  # a copy of one norm is more alike,
    assert one_norm[1] < child[1]  # nine noisy ones are more evidence


def test_nearest_gives_the_figures_of_the_matrix(
    planted: duckdb.DuckDBPyConnection, matrix: dict[tuple[str, str], dict[str, Any]]
) -> None:
    found = planted.sql("from nearest('layers_alike')").to_arrow_table().to_pylist()
    assert len(found) == len(planted_models()) - 1
    for row in found:
        first, second = sorted(("layers_alike", row["model"]))
        for name in row.keys() - {"rank", "model"}:
            value = matrix[first, second][name]
            assert row[name] == (pytest.approx(value) if isinstance(value, float) else value), (
                row["model"],
                name,
            )


def test_an_unknown_model_is_named(planted: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.Error, match="no model 'nobody' in this lake"):
        planted.sql("from lineage('base', 'nobody')").fetchall()


@pytest.mark.parametrize(
    ("z", "reason", "words"),
    [
        ("5.0", "null", SHARE),
        ("9", "'depths differ'", SHARE),
        ("4.9", "null", "cannot tell: z_eff is beyond chance but below the threshold"),
        ("3.9", "null", NONE),
        ("-20", "null", NONE),
        ("1", "'too few norms'", "cannot tell: too few norms"),
        ("null", "null", "cannot tell: nothing to compare"),
    ],
)
def test_thresholds_and_words_stand_in_one_place(
    planted: duckdb.DuckDBPyConnection, z: str, reason: str, words: str
) -> None:
    [(found,)] = planted.sql(f"select lineage_verdict({z}, {reason})").fetchall()
    assert found == words
    assert "derived" not in found
