"""`lineage` and its relatives, on a lake where every answer is known."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from tests.lineage.one_answer import assert_one_answer
from tests.lineage.planted import WIDTH, model, placed, planted_models
from tests.lineage.recomputed import PLACE_Z, centred_ranks, place_z, statistics
from tests.sql.lakes import INPUT, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake

# Columns of which other tests say what they must be; numpy recomputes all the rest.
NO_STATISTICS = {
    *("model_a", "model_b", "d", "depth_a", "depth_b", "norms_dropped", "dropped", "obstacle", "verdict"),
    "statistic_used",
}
Matrix = dict[tuple[str, str], dict[str, Any]]
"""The rows of `lineage_matrix`; a test below says that `lineage` has no others."""
SHARE = "share weight history"
NONE = (
    "no sign of shared history in the norm weights (norms folded or reset and trained on, permuted or "
    "distilled leave none)"
)
# Two stacks have tests of their own below.
COMPARABLE = [name for name in planted_models() if name not in ("folded", "wide") and "stacks" not in name]


def lineage(connection: duckdb.DuckDBPyConnection, one: str, other: str) -> dict[str, Any]:
    [row] = connection.sql(f"from lineage('{one}', '{other}')").to_arrow_table().to_pylist()
    return dict(row)


@pytest.fixture(scope="module")
def matrix(planted: duckdb.DuckDBPyConnection) -> Matrix:
    rows = planted.sql("from lineage_matrix").to_arrow_table().to_pylist()
    return {(row["model_a"], row["model_b"]): row for row in rows}


@pytest.mark.slow
@pytest.mark.parametrize("pair", list(itertools.combinations(sorted(COMPARABLE), 2)), ids="-".join)
def test_every_figure_is_what_numpy_computes_from_the_definition(
    matrix: Matrix, pair: tuple[str, str]
) -> None:
    models = planted_models()
    expected = statistics(models[pair[0]], models[pair[1]])
    assert matrix[pair]["verdict"].startswith(str(expected.pop("verdict")))
    assert matrix[pair].keys() == expected.keys() | NO_STATISTICS
    for name, value in expected.items():
        # the tail of the normal distribution is an approximation
        precision = 2e-7 if name == "p" else 1e-9
        close = (
            None
            if value is None
            else pytest.approx(value, rel=precision, abs=1e-300 if name == "p" else 1e-12)
        )
        assert matrix[pair][name] == close, name


def test_a_model_knows_whether_its_dimensions_have_a_place(planted: duckdb.DuckDBPyConnection) -> None:
    rows = planted.sql(
        "select model, coalesce(own.position_z, 0), coalesce(own.position_z >= limits.position_z, false) "
        "from sketches as own, lineage_thresholds() as limits"
    ).fetchall()
    measured = {model: (z, has_positions) for model, z, has_positions in rows}
    for name in COMPARABLE:
        expected = place_z(planted_models()[name])
        assert measured[name][0] == pytest.approx(expected, abs=1e-8), name
        assert measured[name][1] == (expected >= PLACE_Z), name
    assert all(measured[name][1] for name in ("placed", "placed_child", "placed_stranger"))
    assert not measured["base"][1]


def test_the_matrix_has_every_two_models_once(matrix: Matrix) -> None:
    assert sorted(matrix) == list(itertools.combinations(sorted(planted_models()), 2))


@pytest.mark.slow
@pytest.mark.parametrize(
    "pair", [("base", "half_constant"), ("base", "folded"), ("base", "wide")], ids="-".join
)
def test_a_pair_alone_has_the_row_of_the_matrix(
    planted: duckdb.DuckDBPyConnection, matrix: Matrix, pair: tuple[str, str]
) -> None:
    for name, value in lineage(planted, *pair).items():
        assert value == (
            pytest.approx(matrix[pair][name]) if isinstance(value, float) else matrix[pair][name]
        )


@pytest.mark.slow
def test_the_order_of_the_two_models_changes_nothing_but_their_names(
    planted: duckdb.DuckDBPyConnection,
) -> None:
    forward, backward = lineage(planted, "base", "pruned"), lineage(planted, "pruned", "base")
    assert (forward["model_a"], forward["depth_a"], forward["depth_b"]) == ("base", 4, 2)
    assert (backward["model_a"], backward["depth_a"], backward["depth_b"]) == ("pruned", 2, 4)
    assert forward["z_eff"] == backward["z_eff"]


@pytest.mark.slow
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
        ("base", "one_norm", "cannot tell: too few norms (1)"),
        ("stranger", "one_norm", "cannot tell: too few norms (1)"),
        ("layers_alike", "also_alike", NONE),
        ("base", "short_stranger", NONE),
        ("base", "pruned", SHARE),
        ("base", "shifted", SHARE),
        ("biased", "biased_sibling", SHARE),
        ("biased", "biased_stranger", NONE.replace("weights", "weights and biases")),
        ("placed", "placed_child", SHARE),
        ("placed", "placed_stranger", NONE),
        ("narrow_embedding", "narrow_embedding_child", SHARE),
        ("two_stacks", "two_stacks_child", SHARE),
        ("two_stacks", "stacks_exchanged", NONE),
        (
            "opposed",
            "to_oppose",
            "cannot tell: the norms are opposed beyond chance, as after folding and training on",
        ),
    ],
)
def test_the_verdict_says_what_the_norms_can_tell(matrix: Matrix, one: str, other: str, verdict: str) -> None:
    assert matrix[min(one, other), max(one, other)]["verdict"] == verdict


@pytest.mark.slow
def test_copied_qk_norms_are_no_evidence(matrix: Matrix) -> None:
    row = matrix["base_with_extras", "extras"]
    assert row["norms_used"] == 9
    assert row["verdict"] == NONE


@pytest.mark.slow
def test_biases_see_what_weights_do_not_and_have_to_be_surer(matrix: Matrix) -> None:
    row = matrix["biased", "biased_sibling"]
    assert abs(row["z_weights"]) < 3 < 5.13 < row["z_biases"] == row["z_eff"]
    assert row["statistic_used"] == "biases, layer by layer"
    assert row["needed_z"] == 5.13
    assert matrix["base", "child"]["needed_z"] == 5


@pytest.mark.slow
def test_what_two_strangers_owe_to_the_place_of_dimensions_is_taken_out(matrix: Matrix) -> None:
    models = planted_models()
    as_ranked = sum(
        centred_ranks(models["placed"][key]) @ centred_ranks(models["placed_stranger"][key])
        for key in models["placed"]
    )
    assert as_ranked / 9 * np.sqrt(63) > 3  # without more ado they would agree
    row = matrix["placed", "placed_stranger"]
    assert abs(row["z_eff"]) < 3
    placed_models = {name: place_z(models[name]) for name in ("placed", "placed_stranger")}
    names = " and ".join(f"{name} (z {z:.1f})" for name, z in placed_models.items())
    taken_out = f"detrended because dimensions of {names} look autocorrelated (limit z {PLACE_Z:.1f})"
    assert row["statistic_used"] == f"weights, layer by layer, {taken_out}"


@pytest.mark.slow
def test_a_norm_that_is_nothing_but_smooth_does_not_count(tmp_path: Path) -> None:
    steps = placed(16)
    steps[0, INPUT] = np.repeat(np.array([1, 2], np.float32), WIDTH // 2)
    with open_catalog(write_lake(tmp_path / "steps", {"steps": steps, "stranger": model(3)})) as connection:
        row = lineage(connection, "steps", "stranger")
    assert "detrended" in row["statistic_used"]
    assert row["norms_used"] == len(steps) - 1
    assert abs(row["z_eff"]) < 4


@pytest.mark.slow
def test_a_norm_of_another_width_is_dropped_and_said(matrix: Matrix) -> None:
    row = matrix["narrow_embedding", "narrow_embedding_child"]
    assert (row["norms_used"], row["norms_dropped"], row["d"]) == (9, 1, 64)
    assert "another width (32) in narrow_embedding" in row["dropped"]


@pytest.mark.slow
def test_constant_nearly_constant_and_broken_norms_are_dropped_and_said(matrix: Matrix) -> None:
    row = matrix["base", "half_constant"]
    assert (row["norms_used"], row["norms_dropped"]) == (5, 4)
    for reason in ("constant", "nearly constant", "NaN or Inf"):
        assert f"{reason} in half_constant" in row["dropped"]


@pytest.mark.slow
def test_layers_that_resemble_each_other_are_not_counted_twice(matrix: Matrix) -> None:
    row = matrix["also_alike", "layers_alike"]
    assert row["k_eff"] < 2
    assert abs(row["z_naive"]) > 2 * abs(row["z_eff"])


@pytest.mark.slow
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


@pytest.mark.slow
def test_every_way_to_ask_gives_one_answer_in_both_orders(planted: duckdb.DuckDBPyConnection) -> None:
    # each kind of pair: copies, strangers, other depths, biases, places, two stacks, folded, widths, too few
    asked = ("child", "pruned", "biased", "placed", "placed_stranger", "folded", "wide", "one_norm")
    pairs = [("base", other) for other in asked] + [("biased", "biased_sibling"), ("placed", "placed_child")]
    assert_one_answer(planted, ["base", "placed", "two_stacks"], pairs)


@pytest.mark.slow
def test_one_answer_on_the_replica(replica_lake: Lake, *, every_pair: bool) -> None:
    with open_catalog(replica_lake) as connection:
        every = [model for (model,) in connection.sql("select model from models order by model").fetchall()]
        assert_one_answer(
            connection, every if every_pair else ["glm"], [("solar", "glm"), ("yi_6b", "yi_9b")]
        )


@pytest.mark.slow
def test_one_answer_on_trained_models(shipped_zoo: Lake, *, every_pair: bool) -> None:
    """A model of each group against all others, and the calibration; with `--every-pair` all against all."""
    with open_catalog(shipped_zoo) as connection:
        asked = ["b16_folded", "l00", "o00_int8", "s17"]
        if every_pair:
            every = [model for (model,) in connection.sql("select model from models").fetchall()]
            assert_one_answer(connection, every, [])
        assert_one_answer(connection, asked, [("b16", "b00_pruned")], "calibration_pairs")


def test_an_unknown_model_is_named(planted: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.Error, match="no model 'nobody' in this lake"):
        planted.sql("from lineage('base', 'nobody')").fetchall()


@pytest.mark.parametrize(
    ("largest", "smallest", "needed", "obstacle", "words"),
    [
        ("5.0", "5.0", "5.0", "null", SHARE),
        ("5.1", "0", "5.13", "null", "cannot tell: the norms agree beyond chance, but below the threshold"),
        ("4.9", "4.9", "5.0", "null", "cannot tell: the norms agree beyond chance, but below the threshold"),
        ("3.9", "3.9", "5.0", "null", NONE),
        (
            "1",
            "-4",
            "5.13",
            "null",
            "cannot tell: the norms are opposed beyond chance, as after folding and training on",
        ),
        ("9", "9", "5.0", "'too few norms (2)'", "cannot tell: too few norms (2)"),
        ("null", "null", "null", "null", "cannot tell: nothing to compare"),
    ],
)
def test_thresholds_and_words_stand_in_one_place(
    planted: duckdb.DuckDBPyConnection, largest: str, smallest: str, needed: str, obstacle: str, words: str
) -> None:
    figures = ", ".join(f"{figure}::double" for figure in (largest, smallest, needed))
    query = f"select lineage_verdict({figures}, 'weights', {obstacle})"
    [(found,)] = planted.sql(query).fetchall()
    assert found == words
    assert "derived" not in found


@pytest.mark.parametrize("z", [-3.0, 0.0, 0.5, 1.96, 5.0, 12.0])
def test_the_tail_of_the_normal_distribution_is_right_however_small(
    planted: duckdb.DuckDBPyConnection, z: float
) -> None:
    [(found,)] = planted.execute("select normal_tail(?)", [z]).fetchall()
    assert found == pytest.approx(math.erfc(z / math.sqrt(2)) / 2, rel=2e-7)
